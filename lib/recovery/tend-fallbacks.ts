import 'server-only';
import { LRUCache } from 'lru-cache';
import { db } from '@/lib/db/client';
import { isOutage } from '@/lib/errors/is-outage';
import { abandonReturn, countMargin, endDraining, leaveRedis } from '@/lib/fallback/records/change-mode';
import { listPlaces } from '@/lib/fallback/records/list-places';
import { type RedisWatch, watchRedis } from '@/lib/fallback/records/redis-silence';
import type { StockPlace } from '@/lib/fallback/records/types';
import { log } from '@/lib/http/log';
import { returnToRedis } from '@/lib/loading/return-to-redis';
import { stockRedis } from '@/lib/redis/client';
import { isCluster } from '@/lib/redis/connection';

/** Redis counts as gone after this long without an answer. */
const GONE_MS = 1_000;
/** How often to count a sale's margin. Counting reads the sale's orders; a result only frees units. */
const COUNT_EVERY_MS = 1_000;
const REST_MS = 1_000;
const MAX_SALES = 1_000;

/** By sale on a cluster, where any server may be away alone; else one for all. */
const watches = new Map<string, RedisWatch>();
const counted = new LRUCache<string, true>({ max: MAX_SALES, ttl: COUNT_EVERY_MS });
/** Sales that could not be given back. They pause, because each try keeps Postgres from selling for a moment. */
const resting = new LRUCache<string, true>({ max: MAX_SALES, ttl: REST_MS });

/**
 * Looks once at every sale that can go over to Postgres. Takes it over when Redis has been silent for a second, and
 * gives it back when Redis answers again. A worker calls it several times a second. Watches Redis only while there
 * are such sales.
 */
export async function tendFallbacks(): Promise<void> {
  const places = await listPlaces().catch((err) => {
    // If Postgres is away too, no process can take a sale over.
    if (!isOutage(err)) throw err;
    log.warn({ err }, 'sales could not be looked at');
    return null;
  });
  if (!places) return;
  const nameOf = ({ saleId }: StockPlace) => (isCluster(stockRedis()) ? saleId : '');
  const names = new Set(places.map(nameOf));
  for (const [name, watch] of watches) {
    if (names.has(name)) continue;
    watch.stop();
    watches.delete(name);
  }
  for (const place of places)
    if (!watches.has(nameOf(place))) watches.set(nameOf(place), watchRedis(place.saleId));
  // Read before the first sale is moved: that takes time, in which the watches go on.
  const silences = places.map((place) => watches.get(nameOf(place))?.silentMs() ?? 0);
  await Promise.all(places.map((place, at) => tend(place, silences[at] ?? 0)));
}

async function tend(place: StockPlace, silentMs: number): Promise<void> {
  const { saleId } = place;
  try {
    if (silentMs >= GONE_MS) await goOn(place);
    else if (silentMs === 0 && place.mode !== 'redis' && !resting.has(saleId)) {
      if (await returnToRedis(saleId)) log.warn({ saleId }, 'Redis is back and sells again');
    } else if (place.mode === 'database') await count(saleId);
  } catch (err) {
    resting.set(saleId, true);
    // A sale that fails must not hold up the others. That Redis has gone again is no news.
    if (!isOutage(err)) throw err;
    log.warn({ saleId, mode: place.mode, err }, 'a sale could not be taken over or given back yet');
  }
}

/** Takes a sale one step further without Redis. */
async function goOn({ saleId, mode, epoch }: StockPlace): Promise<void> {
  switch (mode) {
    case 'redis':
      if (await leaveRedis(saleId, epoch))
        log.warn({ saleId }, 'Redis is gone: the sale goes over to Postgres');
      break;
    case 'draining':
      await endDraining(saleId);
      break;
    case 'database':
      await count(saleId);
      break;
    case 'rebuilding':
      await abandonReturn(saleId);
  }
}

async function count(saleId: string): Promise<void> {
  if (counted.has(saleId)) return;
  counted.set(saleId, true);
  await countMargin(db(), saleId);
}
