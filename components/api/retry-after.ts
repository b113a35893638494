const DAY_MS = 86_400_000;

/**
 * Reads a `Retry-After` header (RFC 9110 §10.2.3): seconds or an HTTP date.
 * @param nowMs the device's clock, only used for the date form
 * @returns milliseconds to wait, 0 to one day; null if absent or unreadable
 */
export function parseRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null || header.trim() === '') return null;
  const seconds = Number(header);
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - nowMs;
  if (Number.isNaN(waitMs)) return null;
  return Math.min(Math.max(0, waitMs), DAY_MS);
}
