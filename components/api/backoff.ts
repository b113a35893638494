export interface BackoffPolicy {
  baseMs: number;
  capMs: number;
}

/** For requests the server could not answer: waits 1 s at first and doubles up to 30 s. */
export const RETRY: BackoffPolicy = { baseMs: 1000, capMs: 30_000 };

/** For polling an order that is being written: that usually takes a fraction of a second. */
export const FOLLOW: BackoffPolicy = { baseMs: 200, capMs: 2000 };

const MIN_SHARE = 0.1;

/**
 * Returns how long to wait before the next attempt: exponential with full jitter
 * (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/), never less than the server asked for.
 * Adds up to a quarter to the server's wait, or all clients would return in the same instant.
 *
 * @param failures failed attempts so far, ≥ 1
 * @param retryAfterMs the server's `Retry-After` in ms, or null
 * @param random 0 ≤ r < 1
 */
export function backoffMs(
  { baseMs, capMs }: BackoffPolicy,
  failures: number,
  retryAfterMs: number | null = null,
  random: number = Math.random(),
): number {
  // 2^30 is past any cap; without the bound the power overflows to Infinity after 1,024 failures.
  const ceiling = Math.min(capMs, baseMs * 2 ** Math.min(Math.max(failures, 1) - 1, 30));
  const jittered = Math.round(ceiling * (MIN_SHARE + (1 - MIN_SHARE) * random));
  if (retryAfterMs === null) return jittered;
  return Math.max(jittered, Math.round(retryAfterMs * (1 + random / 4)));
}

/**
 * Returns how long to wait before polling again for something still in progress: doubles each time, with a fifth of
 * jitter.
 * @param asked polls so far, ≥ 1
 */
export function followMs(
  { baseMs, capMs }: BackoffPolicy,
  asked: number,
  random: number = Math.random(),
): number {
  const ceiling = Math.min(capMs, baseMs * 2 ** Math.min(Math.max(asked, 1) - 1, 30));
  return Math.round(ceiling * (0.8 + 0.2 * random));
}
