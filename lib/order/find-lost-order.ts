import 'server-only';
import { recallAccepted } from '@/lib/accepted/accepted-memory';
import { decodeOrderNo } from '@/lib/ids/order-no';
import { shardOf } from '@/lib/ids/shard-of';
import { listSalesOpenAt } from '@/lib/sale/records/list-sales-open-at';
import { stockOfBuyer } from '@/lib/slice/loadings';
import { probeStock } from '@/lib/stock/probe-stock';
import { StockNotLoadedError } from '@/lib/stock/stock-not-loaded-error';
import type { BuyerRecord } from '@/lib/stock/types';
import { CLOCK_ERROR_MS } from './find-asked';
import type { OrderReader } from './find-order';

/**
 * The epoch of a sale's first loading. Publishing raises the epoch to 1, the first loading to 2, and each slice of a
 * split sale has its own. Before that loading there was nothing to lose.
 */
const FIRST_LOADING = 2;
/**
 * After a rebuild every web process brings back the purchases it remembers, within a second unless it is cut off or
 * frozen just then. For this long, no shopper who may have been accepted hears that there is no such order.
 */
const RECALL_MS = 30_000;
/**
 * Looks for an order that neither Postgres nor Redis holds, as long as Redis may have lost it: while its sale is not
 * loaded, and until the processes that remember the order have brought it back. A stranger's or an invented number
 * costs next to nothing, because an order's number tells the buyer's shard and when it was issued.
 *
 * @returns the purchase if this process remembers that it was accepted; null if the order certainly does not exist.
 * @throws StockNotLoadedError if that can't be said now, connection errors.
 */
export async function findLostOrder(
  { userId, saleId }: OrderReader,
  orderNo: string,
): Promise<{ saleId: string; record: BuyerRecord } | null> {
  const { shard, atMs } = decodeOrderNo(BigInt(orderNo));
  if (shard !== shardOf(userId)) return null;
  const span = { from: atMs - CLOCK_ERROR_MS, to: atMs + CLOCK_ERROR_MS };
  const sales = await listSalesOpenAt({ ...span, saleId });
  for (const sale of sales) {
    const { id } = sale;
    const known = recallAccepted(stockOfBuyer({ ...sale, saleId: id }, userId).stockId, orderNo);
    if (known?.userId !== userId) continue;
    return { saleId: id, record: { ...known, state: 'held' } };
  }
  for (const sale of sales) {
    const { stockId: id, epoch } = stockOfBuyer({ ...sale, saleId: sale.id }, userId);
    const probe = await probeStock(id);
    const isLoaded = probe.status === 'loaded' && probe.epoch === epoch;
    if (isLoaded && (epoch < FIRST_LOADING + sale.slices || probe.ageMs > RECALL_MS)) continue;
    throw new StockNotLoadedError(`whether ${orderNo} was lost with the stock of ${id} is not known yet`);
  }
  return null;
}
