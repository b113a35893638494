import { LRUCache } from 'lru-cache';
import type { LimitPolicy } from '@/lib/redis/limit-policy';
import { type LimitState, take } from './algorithms';

/** About 200 bytes each. Whoever is forgotten begins anew: with Redis away, that is better than running out of memory. */
const MAX_KEYS = 100_000;

type Counts = LRUCache<string, { algorithm: string; state: LimitState }>;

// The web process may hold this module twice (fast lane and Next's bundle).
const holder = globalThis as typeof globalThis & { seckillLocalCounts?: Counts };

/**
 * Counts one call in this process alone, by the same algorithms as Redis: while Redis is down, and for answers that ask
 * no Redis. Of n processes each lets `limit` through.
 * @returns how long to wait, in ms; 0 = let through
 */
export function countLocally({ algorithm, limit, windowSec }: LimitPolicy, key: string): number {
  holder.seckillLocalCounts ??= new LRUCache({ max: MAX_KEYS });
  const counts = holder.seckillLocalCounts;
  let count = counts.get(key);
  if (count?.algorithm !== algorithm) {
    count = { algorithm, state: [] };
    counts.set(key, count);
  }
  return take[algorithm](count.state, limit, windowSec * 1000, Math.floor(performance.now()));
}
