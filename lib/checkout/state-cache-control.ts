const CACHE_MS = 1000;

/**
 * How long the state may be kept: one second, but not at all when the sale starts or ends within it, so that no cache
 * says "scheduled" after the start or "live" after the end.
 */
export function stateCacheControl(stock: {
  serverTime: number;
  startsAt: number;
  endsAt: number;
}): 'no-store' | 'public, max-age=1' {
  const changesSoon = [stock.startsAt, stock.endsAt].some(
    (at) => at > stock.serverTime && at <= stock.serverTime + CACHE_MS,
  );
  return changesSoon ? 'no-store' : 'public, max-age=1';
}
