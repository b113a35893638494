/** The stream is opened in the last minute before the start, spread so that 10,000 pages don't come in one second. */
const OPEN_FROM_MS = 60_000;
const OPEN_UNTIL_MS = 15_000;
/** Who comes later, or returns to the page, comes soon. */
const SOON_MS = 2000;

/**
 * How long to wait before following a sale by its stream, in ms.
 * @param toStartMs time left until the start by the server's clock; negative afterwards
 * @param random 0 ≤ r < 1
 */
export function streamDelayMs(toStartMs: number, random: number): number {
  if (toStartMs > OPEN_FROM_MS) return toStartMs - OPEN_FROM_MS + (OPEN_FROM_MS - OPEN_UNTIL_MS) * random;
  // Spread over what is left of the same time; near the start the next poll is planned for it anyway.
  return Math.min(Math.max(toStartMs - OPEN_UNTIL_MS, 0) + SOON_MS, OPEN_FROM_MS) * random;
}
