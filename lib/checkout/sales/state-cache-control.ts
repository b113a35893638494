/** How old an answer may grow that is kept for `max-age=1`: caches count in whole seconds (nginx: up to 1.999 s). */
const KEPT_MS = 2_000;
/** How long a cache may go on giving it while no web process answers: bridges a restart, no more. Pages shall learn of an outage. */
const STALE_SEC = 5;

type ShortCacheControl = 'no-store' | 'public, max-age=1' | 'public, max-age=1, stale-if-error=5';

/**
 * How long the state may be kept: one second, a little longer while nobody can be asked for a newer one (RFC 5861), but
 * not when the sale starts or ends within that time, so that no cache says "scheduled" after the start or "live" after
 * the end.
 */
export function stateCacheControl({
  serverTime,
  startsAt,
  endsAt,
}: {
  serverTime: number;
  startsAt: number;
  endsAt: number;
}): ShortCacheControl {
  const ahead = [startsAt, endsAt].filter((at) => at > serverTime);
  return cacheControlUntil(Math.min(...ahead) - serverTime);
}

/** For how long `cacheControlUntil` gives the same answer, ms. */
export const cacheControlHoldsMs = (changesInMs: number): number =>
  [KEPT_MS + STALE_SEC * 1_000, KEPT_MS].map((edge) => changesInMs - edge).find((ms) => ms > 0) ??
  changesInMs;

/** How long anything may be kept that changes in `changesInMs`. */
export function cacheControlUntil(changesInMs: number): ShortCacheControl {
  if (changesInMs <= KEPT_MS) return 'no-store';
  if (changesInMs <= KEPT_MS + STALE_SEC * 1_000) return 'public, max-age=1';
  return `public, max-age=1, stale-if-error=${STALE_SEC}`;
}

const headersWith = (cacheControl: ShortCacheControl) => ({
  'content-type': 'application/json',
  'cache-control': cacheControl,
});

/** Headers of JSON that is kept so long. Replies of one kind share their headers object (`lib/server/wire.ts`). */
export const SHORT_LIVED: Record<ShortCacheControl, Record<string, string>> = {
  'no-store': headersWith('no-store'),
  'public, max-age=1': headersWith('public, max-age=1'),
  'public, max-age=1, stale-if-error=5': headersWith('public, max-age=1, stale-if-error=5'),
};
