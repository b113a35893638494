import 'server-only';
import type { Db } from '@/lib/db/client';
import { orderKey } from './order-key';
import type { EndReason } from './types';

/** Cancels a user's order if it waits for payment. @returns its sale and units, or null if it doesn't. */
export async function cancelOrderRow(
  tx: Db,
  order: { userId: string; orderNo: string },
  reason: EndReason,
): Promise<{ saleId: string; quantity: number } | null> {
  const { shard, id } = orderKey(order.orderNo);
  const rows = await tx.$queryRaw<{ saleId: string; quantity: number }[]>`
    UPDATE orders
    SET status = 'cancelled', cancelled_at = now(), end_reason = ${reason}, version = version + 1, updated_at = now()
    WHERE shard = ${shard} AND id = ${id} AND user_id = ${order.userId} AND status = 'pending_payment'
    RETURNING sale_id AS "saleId", quantity`;
  return rows[0] ?? null;
}
