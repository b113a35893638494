import 'server-only';
import type { OrderStatus } from '@/lib/contract/words/order';
import type { Db } from '@/lib/db/client';
import { orderKey } from '@/lib/ids/order-key';
import type { StockOrder } from './types';

/** Reads the status of an order in this transaction, and its owner. @throws if there is none. */
export async function readStand(tx: Db, orderNo: string): Promise<StockOrder & { status: OrderStatus }> {
  const row = await tx.order.findUniqueOrThrow({
    where: { shard_id: orderKey(orderNo) },
    select: { saleId: true, userId: true, status: true },
  });
  return { orderNo, saleId: row.saleId, userId: row.userId, status: row.status as OrderStatus };
}
