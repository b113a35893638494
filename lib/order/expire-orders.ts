import 'server-only';
import type { Db } from '@/lib/db/client';
import { orderKeys } from './order-key';
import type { StockOrder } from './types';

/**
 * Cancels a sale's given orders that are unpaid after their deadline, and records it; leaves the others as they are.
 * Locks rows in the order of their numbers, so that two of these calls can't deadlock.
 * @returns the orders cancelled and their units.
 */
export async function expireOrders(
  tx: Db,
  saleId: string,
  orderNos: readonly string[],
): Promise<{ orders: StockOrder[]; units: number }> {
  const { shards, ids } = orderKeys(orderNos);
  const rows = await tx.$queryRaw<{ id: string; user_id: string; quantity: number }[]>`
    WITH due AS (
      SELECT o.shard, o.id
      FROM unnest(${shards}::smallint[], ${ids}::text[]::bigint[]) AS i (shard, id)
      JOIN orders o ON o.shard = i.shard AND o.id = i.id
      WHERE o.sale_id = ${saleId} AND o.status = 'pending_payment' AND o.pay_by <= now()
      ORDER BY o.id FOR UPDATE OF o
    ), expired AS (
      UPDATE orders o
      SET status = 'cancelled', cancelled_at = now(), end_reason = 'expired', version = o.version + 1,
          updated_at = now(), stock_settled_at = NULL
      FROM due
      WHERE o.shard = due.shard AND o.id = due.id AND o.status = 'pending_payment'
      RETURNING o.shard, o.id, o.user_id, o.quantity, o.pay_by
    ), noted AS (
      INSERT INTO order_events (shard, order_id, actor_kind, from_status, to_status, cause, data)
      SELECT shard, id, 'system', 'pending_payment', 'cancelled', 'expired',
             jsonb_build_object('payBy', floor(extract(epoch FROM pay_by) * 1000)::bigint)
      FROM expired
    )
    SELECT id::text, user_id, quantity FROM expired`;
  return {
    orders: rows.map(({ id, user_id }) => ({ orderNo: id, saleId, userId: user_id })),
    units: rows.reduce((sum, { quantity }) => sum + quantity, 0),
  };
}
