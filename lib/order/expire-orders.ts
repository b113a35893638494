import 'server-only';
import { db } from '@/lib/db/client';
import { orderKeys } from './order-key';
import type { StockOrder } from './types';

/**
 * Cancels a sale's given orders that are unpaid after their deadline, records it, and counts their units as
 * available; leaves the others as they are. Locks rows in the order of their numbers, so that two of these calls can't
 * deadlock. One statement, so that the sale's row is not held while anybody waits; see `writeOrders`.
 * @returns the orders cancelled.
 * @throws a data error if the sale has fewer units held: that is a bug, and must not be rounded off.
 */
export async function expireOrders(saleId: string, orderNos: readonly string[]): Promise<StockOrder[]> {
  const { shards, ids } = orderKeys(orderNos);
  const rows = await db().$queryRaw<{ id: string; user_id: string }[]>`
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
    ), counted AS (
      UPDATE sales SET held_stock = held_stock - (SELECT sum(quantity) FROM expired)::int
      WHERE id = ${saleId} AND EXISTS (SELECT FROM expired)
    )
    SELECT id::text, user_id FROM expired`;
  return rows.map(({ id, user_id }) => ({ orderNo: id, saleId, userId: user_id }));
}
