import 'server-only';
import { db } from '@/lib/db/client';
import { orderKey } from '@/lib/ids/order-key';
import { markSettled } from '@/lib/order/records/mark-settled';
import type { StockOrder } from '@/lib/order/records/types';
import { closeRepaired } from '@/lib/outbox/report-problem';
import { announceChange } from '@/lib/stock/stock-changes';
import { takeBackStock } from '@/lib/stock/take-back-stock';
import { findNextAtRelease } from '@/lib/waitlist/giving/find-next';
import { serveFreed } from '@/lib/waitlist/giving/serve-waitlist';
import { isStockInDatabase } from './group-by-stock';

/**
 * Takes the units of refunded orders back in Redis, then notes it. The refund said whether they go on sale again or
 * are written off. Runs after the transaction of the refund; the sweep repeats it if necessary. Idempotent.
 */
export async function settleRefunded(orders: readonly StockOrder[]): Promise<void> {
  for (const order of orders) {
    const select = { refundReturnsStock: true };
    const row = await db().order.findUnique({ where: { shard_id: orderKey(order.orderNo) }, select });
    if (!row || row.refundReturnsStock === null) continue;
    // If the stock is not in Redis, Postgres has taken the units back already, and every process must stop answering
    // "sold out".
    if (await isStockInDatabase(order.saleId)) await announceChange(order.saleId);
    else {
      const due = await findNextAtRelease(order.saleId);
      const { isAwaited } = await takeBackStock(order, row.refundReturnsStock, due);
      if (isAwaited) await serveFreed(order.saleId);
    }
    // While it was paid, staff may have been told that its units are sold to another. This comes before the note: if it
    // fails, the sweep repeats both.
    await closeRepaired(db(), [order.orderNo]);
    await markSettled([order.orderNo], ['refunded']);
  }
}
