import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { abandonReturn, beginReturn, endDraining } from '@/lib/fallback/records/change-mode';
import { readPlaces } from '@/lib/fallback/records/read-places';
import { withLock } from '@/lib/lock/with-lock';
import { stockRedis } from '@/lib/redis/client';
import { forgetSaleInfo } from '@/lib/sale/records/find-sale-info';
import { limitMs } from '@/lib/time-limits';
import { rebuildStock } from './rebuild-stock';

const LOCK_TTL_MS = 5_000;
const LOOK_EVERY_MS = 25;

/**
 * Gives a sale that Postgres sells, or is about to sell, back to a Redis that answers again. Waits until accepted
 * purchases have been handed over, stops selling, writes what the outbox still holds, and loads the stock under a new
 * epoch. One at a time; if it is killed at any point, the next call goes on.
 * @returns whether this call has loaded it.
 * @throws connection errors; Postgres goes on selling.
 */
export async function returnToRedis(saleId: string): Promise<boolean> {
  const options = { ttlMs: LOCK_TTL_MS, acquireTimeoutMs: 0, nodes: [stockRedis()] };
  const locked = await withLock(`return:${saleId}`, options, async () => {
    if (!(await isDrained(saleId))) return false;
    await beginReturn(saleId);
    try {
      if ((await rebuildStock(saleId)).status !== 'loaded') return false;
    } catch (error) {
      await abandonReturn(saleId);
      throw error;
    }
    await forgetSaleInfo(saleId);
    return true;
  });
  return locked.status === 'done' && locked.value;
}

async function isDrained(saleId: string): Promise<boolean> {
  for (const startedAt = performance.now(); performance.now() - startedAt < limitMs('returnToRedis'); ) {
    await endDraining(saleId);
    const [place] = await readPlaces([saleId]);
    if (place?.mode !== 'draining') return place !== undefined && place.mode !== 'redis';
    await delay(LOOK_EVERY_MS);
  }
  return false;
}
