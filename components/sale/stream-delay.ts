/** Pages open the stream in the last minute before the start, spread so that 10,000 pages don't connect in one second. */
const OPEN_FROM_MS = 60_000;
const OPEN_UNTIL_MS = 15_000;
/** A page opened later, or shown again, connects within this time. */
const SOON_MS = 2000;

/**
 * Returns how many ms to wait before opening a sale's stream.
 * @param toStartMs time left until the start by the server's clock; negative afterwards
 * @param random 0 ≤ r < 1
 */
export function streamDelayMs(toStartMs: number, random: number): number {
  if (toStartMs > OPEN_FROM_MS) return toStartMs - OPEN_FROM_MS + (OPEN_FROM_MS - OPEN_UNTIL_MS) * random;
  // Spread over the rest of that minute; near the start the page has planned the next poll for it anyway.
  return Math.min(Math.max(toStartMs - OPEN_UNTIL_MS, 0) + SOON_MS, OPEN_FROM_MS) * random;
}
