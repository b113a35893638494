type TokenBucket = { take(now: number): boolean };

/**
 * Lets through so many calls a second, and so many at once after a rest. Each process has its own. It is exact,
 * because there is one thread.
 * @param perSec refilled a second. @param burst how many it holds at most.
 */
export function createTokenBucket(perSec: number, burst: number): TokenBucket {
  let tokens = burst;
  let filledAt = Number.NEGATIVE_INFINITY;
  return {
    /** @param now monotonic ms. */
    take(now) {
      tokens = Math.min(burst, tokens + ((now - filledAt) / 1_000) * perSec);
      filledAt = now;
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}
