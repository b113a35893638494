/** How old an answer with `max-age=1` may become: caches count in whole seconds (nginx: up to 1.999 s). */
const KEPT_MS = 2_000;
/**
 * How long a cache may go on giving the answer while no web process answers. Long enough for a restart and no longer:
 * pages must learn of an outage.
 */
const STALE_SEC = 5;

type ShortCacheControl = 'no-store' | 'public, max-age=1' | 'public, max-age=1, stale-if-error=5';

/**
 * Returns how long the state may be kept: one second, and a little longer while no server can give a newer one (RFC
 * 5861). Not if the sale starts or ends within that time, so that no cache says "scheduled" after the start or "live"
 * after the end.
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

/** Returns for how long `cacheControlUntil` gives the same answer, ms. */
export const cacheControlHoldsMs = (changesInMs: number): number =>
  [KEPT_MS + STALE_SEC * 1_000, KEPT_MS].map((edge) => changesInMs - edge).find((ms) => ms > 0) ??
  changesInMs;

/** Returns how long an answer may be kept that changes in `changesInMs`. */
export function cacheControlUntil(changesInMs: number): ShortCacheControl {
  if (changesInMs <= KEPT_MS) return 'no-store';
  if (changesInMs <= KEPT_MS + STALE_SEC * 1_000) return 'public, max-age=1';
  return `public, max-age=1, stale-if-error=${STALE_SEC}`;
}

const headersWith = (cacheControl: ShortCacheControl) => ({
  'content-type': 'application/json',
  'cache-control': cacheControl,
});

/** Headers of JSON that is kept for a short time. Replies of one kind share their headers object (`lib/server/wire.ts`). */
export const SHORT_LIVED: Record<ShortCacheControl, Record<string, string>> = {
  'no-store': headersWith('no-store'),
  'public, max-age=1': headersWith('public, max-age=1'),
  'public, max-age=1, stale-if-error=5': headersWith('public, max-age=1, stale-if-error=5'),
};
