import 'server-only';
import { db } from '@/lib/db/client';
import { orderNosOf } from '@/lib/ids/payment-key';

const BATCH = 100;

/**
 * Returns up to 100 payments whose money, or a part of it, has been due back for more than a minute, oldest first: the
 * message that should refund them has missed them.
 */
export async function findRefundsDue(except: readonly string[] = []): Promise<string[]> {
  const rows = await db().$queryRaw<{ id: string }[]>`
    SELECT id FROM (
      SELECT id, updated_at AS since FROM payments
      WHERE status = 'refund_due' AND updated_at < now() - interval '1 minute'
      UNION ALL
      SELECT 'pay_' || order_id, min(asked_at) FROM refund_parts
      WHERE sent_at IS NULL AND asked_at < now() - interval '1 minute' GROUP BY order_id) due
    WHERE id <> ALL (${[...except]}::text[])
    GROUP BY id ORDER BY min(since) LIMIT ${BATCH}`;
  return rows.map(({ id }) => id);
}

/** A payment that the shop owes money of. */
type OwedPayment = { paymentId: string; orderNo: string; saleId: string };

/** Returns those of these payments whose money, or a part of it, is due back now. */
export const findStillDue = (paymentIds: readonly string[]): Promise<OwedPayment[]> =>
  db().$queryRaw<OwedPayment[]>`
    SELECT p.id AS "paymentId", p.order_id::text AS "orderNo", o.sale_id AS "saleId"
    FROM orders_numbered(${orderNosOf(paymentIds)}::text[]::bigint[]) o
    JOIN payments p ON p.shard = o.shard AND p.order_id = o.id
    WHERE p.status = 'refund_due' OR EXISTS (
      SELECT FROM refund_parts r WHERE r.shard = p.shard AND r.order_id = p.order_id AND r.sent_at IS NULL)
    ORDER BY p.order_id`;
