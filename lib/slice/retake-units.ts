import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { slicesOf } from '@/lib/slice/numbers/slices-of';
import { saleOf, stockFor } from '@/lib/slice/numbers/stock-ids';
import { reacquireStock } from '@/lib/stock/reacquire-stock';
import { StockNotLoadedError } from '@/lib/stock/stock-not-loaded-error';
import { bringUnits } from './bring-units';

type Retaken = Awaited<ReturnType<typeof reacquireStock>>;

const TRIES = 6;
const PAUSE_MS = 25;

/**
 * Takes units again for an order that had released them, as `reacquireStock` does, wherever in the sale they are free: if
 * the buyer's slice of a split sale has none, some are moved there first.
 * @throws as `reacquireStock`; StockNotLoadedError if it can't be said now whether other slices have any
 */
export async function retakeUnits(order: Parameters<typeof reacquireStock>[0]): Promise<Retaken> {
  for (let tried = 1; ; tried += 1) {
    const result = await reacquireStock(order);
    if (result.status !== 'sold_out') return result;
    const saleId = saleOf(order.saleId);
    const slices = await slicesOf(saleId);
    if (slices === 1) return result;
    const stockId = stockFor(saleId, order.userId, slices);
    const found = await bringUnits({ saleId, slices, stockId, wanted: order.units });
    if (found.status === 'none') return result;
    if (tried === TRIES) throw new StockNotLoadedError(`units of ${saleId} could not be moved for an order`);
    if (found.status === 'busy') await delay(PAUSE_MS);
  }
}
