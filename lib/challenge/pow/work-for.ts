/** Iterations of one try. Few enough that making a task, which takes one try, costs the server 0.2 ms. */
export const COST = 1_000;

/** Tries for a shopper about whom nothing is known: a million iterations, 0.2 to 0.4 s in Chromium here. */
const BASE_TRIES = 1_000;
const MAX_FACTOR = 8;

/**
 * Returns how many tries a task should take on average. Suspicious visitors compute up to eight times as long.
 * @param riskScore 0 (nothing known against the visitor) … 1; anything else counts as the nearer end
 */
export function workFor(riskScore: number): number {
  const risk = Number.isNaN(riskScore) ? 1 : Math.min(1, Math.max(0, riskScore));
  return Math.round(BASE_TRIES * (1 + risk * (MAX_FACTOR - 1)));
}
