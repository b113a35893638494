import { LRUCache } from 'lru-cache';
import { processWide } from '@/lib/process-wide';

/** Bounds the memory: about 150 bytes each. Whoever is forgotten starts again from zero. */
const MOST_PEOPLE = 100_000;
const WINDOW_MS = 60_000;

const tries = processWide(
  'tries-a-minute',
  () =>
    new LRUCache<string, { count: number }>({
      max: MOST_PEOPLE,
      ttl: WINDOW_MS,
      // So that a test can set the clock.
      perf: { now: () => performance.now() },
    }),
);

/**
 * Counts how often an account asks for entry, a place or a challenge within a minute from its first try. In this process
 * alone: that saves each entry a script, and what must be exact has the sale's limits.
 * @returns tries so far, this one included; with n processes, about an n-th of all
 */
export function countTry(userId: string): number {
  const known = tries.get(userId);
  if (!known) {
    tries.set(userId, { count: 1 });
    return 1;
  }
  known.count += 1;
  return known.count;
}
