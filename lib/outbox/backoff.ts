/** Returns `minMs`, doubled with every attempt after the first, at most `maxMs`. @param attempt from 1. */
export function backoffMs(attempt: number, minMs: number, maxMs: number): number {
  return Math.min(minMs * 2 ** Math.min(attempt - 1, 30), maxMs);
}
