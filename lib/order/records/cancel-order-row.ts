import 'server-only';
import type { Db } from '@/lib/db/client';
import { orderKey } from '@/lib/ids/order-key';
import type { EventActor } from './order-event';
import type { EndReason } from './types';

type CancelReason = Extract<EndReason, 'cancelled_by_shopper' | 'cancelled_by_merchant' | 'payment_mismatch'>;

type CancelledUnits = { saleId: string; units: number; variant: number };

/**
 * Cancels a user's order if it waits for payment, and records who did it.
 * @param data further facts for its history; JSON.
 * @returns its sale, units and variant (0: none), or null if it doesn't wait for payment.
 */
export async function cancelOrderRow(
  tx: Db,
  order: { userId: string; orderNo: string },
  reason: CancelReason,
  actor: EventActor,
  data: Record<string, unknown> = {},
): Promise<CancelledUnits | null> {
  const { shard, id } = orderKey(order.orderNo);
  const rows = await tx.$queryRaw<CancelledUnits[]>`
    WITH cancelled AS (
      UPDATE orders
      SET status = 'cancelled', cancelled_at = now(), end_reason = ${reason}, version = version + 1, updated_at = now(),
          stock_settled_at = NULL
      WHERE shard = ${shard} AND id = ${id} AND user_id = ${order.userId} AND status = 'pending_payment'
      RETURNING shard, id, sale_id, quantity, variant
    ), noted AS (
      INSERT INTO order_events (shard, order_id, actor_kind, actor_id, from_status, to_status, cause, data)
      SELECT shard, id, ${actor.kind}, ${actor.id ?? null}, 'pending_payment', 'cancelled', ${reason},
             ${JSON.stringify(data)}::jsonb
      FROM cancelled
    )
    SELECT sale_id AS "saleId", quantity AS units, variant FROM cancelled`;
  return rows[0] ?? null;
}
