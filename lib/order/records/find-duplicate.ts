import 'server-only';
import type { Db } from '@/lib/db/client';
import { orderKey } from '@/lib/ids/order-key';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';

/**
 * Finds out why an order could not be inserted. It may be there already (its number was issued before it was written,
 * so that is a success), another order may stand in its way, or its sale may not exist.
 */
export async function findDuplicate(
  tx: Db,
  saleId: string,
  order: AcceptedOrder,
): Promise<'already_placed' | 'duplicate_order' | 'not_writable'> {
  const { shard, id } = orderKey(order.orderNo);
  const same = await tx.order.findUnique({ where: { shard_id: { shard, id } } });
  if (same) {
    const isSame = same.saleId === saleId && same.userId === order.userId && same.jti === order.jti;
    return isSame ? 'already_placed' : 'duplicate_order';
  }
  const sale = await tx.sale.findUnique({ where: { id: saleId }, select: { id: true } });
  return sale ? 'duplicate_order' : 'not_writable';
}
