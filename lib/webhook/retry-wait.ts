const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** How long retries go on. */
export const RETRY_FOR_MS = 24 * HOUR_MS;

const WAITS_MS = [
  5_000,
  30_000,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
];
const LAST_WAIT_MS = 8 * HOUR_MS;

/**
 * Returns how long a delivery waits after an attempt, ms; null: a day is over, no more attempts.
 * @param attempts made so far, from 1. @param ageMs since it was due first
 */
export function retryWaitMs(attempts: number, ageMs: number): number | null {
  const waitMs = WAITS_MS[attempts - 1] ?? LAST_WAIT_MS;
  return ageMs + waitMs <= RETRY_FOR_MS ? waitMs : null;
}
