const MIN_RETRY_AFTER_MS = 1000;
const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1000;
const JITTER = 0.2;

/**
 * Reads the `Retry-After` header as ms from now, clamped to 1 s – 24 h.
 * @param header seconds, an HTTP date or an ISO time; undefined when it is absent or none of these.
 */
export function readRetryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (!header) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.min(MAX_RETRY_AFTER_MS, Math.max(MIN_RETRY_AFTER_MS, ms));
}

/**
 * Returns the wait in ms after failed attempt number `attempt` (from 0): that entry of the table, or its last one,
 * plus up to 20 % jitter.
 */
export function backoffDelayMs(table: readonly number[], attempt: number): number {
  const ms = table[Math.min(attempt, table.length - 1)] ?? 0;
  return Math.round(ms * (1 + JITTER * Math.random()));
}
