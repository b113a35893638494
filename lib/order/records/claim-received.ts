import 'server-only';
import type { Db } from '@/lib/db/client';
import { LOAD_USER } from '@/lib/ids/load-user';

/** Messages in one call. Each names the orders of one statement: 500 at most. */
const AT_ONCE = 10;

/**
 * Takes the oldest messages about orders that were written a minute ago, and names those of the orders that are
 * still to be paid. Units of a waitlist or a draw have a notice of their own; load-test users read none. Safe side by
 * side.
 * @returns null if no message is due
 */
export async function claimReceived(tx: Db): Promise<{ orderNo: string; saleId: string }[] | null> {
  const [claimed] = await tx.$queryRaw<{ count: number; orderNos: string[] }[]>`
    WITH due AS (
      SELECT id, payload FROM outgoing_messages
      WHERE topic = 'orders/received' AND sent_at IS NULL AND next_attempt_at <= now()
      ORDER BY next_attempt_at, id LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED
    ), done AS (
      UPDATE outgoing_messages m SET sent_at = now() FROM due WHERE m.id = due.id
    )
    SELECT count(DISTINCT due.id)::int AS count, coalesce(array_agg(n.order_no), '{}') AS "orderNos"
    FROM due CROSS JOIN LATERAL jsonb_array_elements_text(due.payload -> 'orderNos') AS n (order_no)`;
  if (!claimed || claimed.count === 0) return null;
  return tx.$queryRaw`
    SELECT o.id::text AS "orderNo", o.sale_id AS "saleId"
    FROM orders_numbered(${claimed.orderNos}::text[]::bigint[]) o
    WHERE o.status = 'pending_payment' AND NOT starts_with(o.user_id, ${LOAD_USER})
      AND NOT EXISTS (SELECT FROM waitlist_entries w WHERE w.order_no = o.id)`;
}
