import 'server-only';
import { isOutage } from '@/lib/errors/is-outage';
import { withLock } from '@/lib/lock/with-lock';
import { stockRedis } from '@/lib/redis/client';
import { forgetSaleInfo } from '@/lib/sale/records/find-sale-info';
import { stocksOf } from '@/lib/slice/numbers/stock-ids';
import { probeStock } from '@/lib/stock/probe-stock';
import { limitMs } from '@/lib/time-limits';
import { rebuildSlices } from './rebuild-slices';

const LOCK_TTL_MS = 5_000;

type Split = { id: string; slices: number; sliceEpochs: readonly number[] };

/**
 * Makes sure that Redis holds the slices of a split sale: all of them, or those that `only` names. A slice whose server
 * is away holds up no other.
 * @throws connection errors, once what could be loaded is loaded
 */
export async function ensureSlicesLoaded(
  { id: saleId, slices, sliceEpochs }: Split,
  only?: readonly number[],
): Promise<{ status: 'warm' | 'loaded' | 'not_published' }> {
  const stocks = stocksOf(saleId, slices);
  const asked = only ?? stocks.map((_, slice) => slice);
  const outages: unknown[] = [];
  const cold: number[] = [];
  await Promise.all(
    asked.map(async (slice) => {
      try {
        const probe = await probeStock(stocks[slice] as string);
        if (probe.status !== 'loaded' || probe.epoch !== (sliceEpochs[slice] ?? 0)) cold.push(slice);
      } catch (error) {
        if (!isOutage(error)) throw error;
        outages.push(error);
      }
    }),
  );
  let status: 'warm' | 'loaded' | 'not_published' = 'warm';
  const [first] = cold.sort((a, b) => a - b);
  if (first !== undefined) {
    // The lock lies where the slice does, on a server that answers. It only saves work, see `ensureStockLoaded`.
    const options = { ttlMs: LOCK_TTL_MS, acquireTimeoutMs: limitMs('loadLock'), nodes: [stockRedis()] };
    const locked = await withLock(`rebuild:${stocks[first]}`, options, () => rebuildSlices(saleId, cold));
    status = (locked.status === 'done' ? locked.value : await rebuildSlices(saleId, cold)).status;
    if (status === 'loaded') await forgetSaleInfo(saleId);
  }
  if (outages.length > 0) throw outages[0];
  return { status };
}
