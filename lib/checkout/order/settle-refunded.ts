import 'server-only';
import { db } from '@/lib/db/client';
import { markSettled } from '@/lib/order/mark-settled';
import { orderKey } from '@/lib/order/order-key';
import type { StockOrder } from '@/lib/order/types';
import { announceChange } from '@/lib/stock/stock-changes';
import { takeBackStock } from '@/lib/stock/take-back-stock';
import { isStockInDatabase } from './group-by-stock';

/**
 * Takes the units of refunded orders back in Redis, for sale or written off as the refund said, then notes it. Runs after
 * the transaction of the refund; the sweep repeats it if need be. Idempotent.
 */
export async function settleRefunded(orders: readonly StockOrder[]): Promise<void> {
  for (const order of orders) {
    const select = { refundReturnsStock: true };
    const row = await db().order.findUnique({ where: { shard_id: orderKey(order.orderNo) }, select });
    if (!row || row.refundReturnsStock === null) continue;
    // Where Redis holds no stock, Postgres has taken it back, and nobody may go on answering "sold out".
    if (await isStockInDatabase(order.saleId)) await announceChange(order.saleId);
    else await takeBackStock(order, row.refundReturnsStock);
    await markSettled([order.orderNo], ['refunded']);
  }
}
