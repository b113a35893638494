/** How old an answer may grow that is kept for `max-age=1`: caches count in whole seconds (nginx: up to 1.999 s). */
const KEPT_MS = 2_000;
/** How long a cache may go on giving it while no web process answers: bridges a restart, no more. Pages shall learn of an outage. */
const STALE_SEC = 5;

/**
 * How long the state may be kept: one second, a little longer while nobody can be asked for a newer one (RFC 5861), but
 * not when the sale starts or ends within that time, so that no cache says "scheduled" after the start or "live" after
 * the end.
 */
export function stateCacheControl(stock: {
  serverTime: number;
  startsAt: number;
  endsAt: number;
}): 'no-store' | 'public, max-age=1' | 'public, max-age=1, stale-if-error=5' {
  const changesWithin = (ms: number) =>
    [stock.startsAt, stock.endsAt].some((at) => at > stock.serverTime && at <= stock.serverTime + ms);
  if (changesWithin(KEPT_MS)) return 'no-store';
  if (changesWithin(KEPT_MS + STALE_SEC * 1_000)) return 'public, max-age=1';
  return `public, max-age=1, stale-if-error=${STALE_SEC}`;
}
