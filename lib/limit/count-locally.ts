import { LRUCache } from 'lru-cache';
import type { SaleLimits } from '@/lib/contract/shapes/limit';
import { processWide } from '@/lib/process-wide';
import type { RateLimited } from '@/lib/redis/limit-policy';
import type { LimitState } from './algorithms';
import { type Attempt, countAttempt } from './count-attempt';

/**
 * Bounds the memory: about 200 bytes each. A forgotten key starts from zero; with Redis away, that is better than
 * running out of memory.
 */
const MAX_KEYS = 100_000;

const counts = processWide(
  'local-counts',
  () => new LRUCache<string, { algorithm: string; state: LimitState }>({ max: MAX_KEYS }),
);

/**
 * Counts one attempt in this process alone, by the same algorithms as Redis: while Redis is down, and for answers
 * that ask no Redis. With n processes, each lets `limit` through.
 * @returns the limit it met; null = let through
 */
export function countLocally(limits: SaleLimits, attempt: Attempt): RateLimited | null {
  return countAttempt(counts, limits, attempt, Math.floor(performance.now()));
}
