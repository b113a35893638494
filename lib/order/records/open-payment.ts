import 'server-only';
import { db } from '@/lib/db/client';
import { orderKey } from '@/lib/ids/order-key';

/** When the provider is first asked, s. A shopper who was sent there has usually paid by then. */
const FIRST_QUERY_AFTER_SEC = 30;

/** The amount to charge, and the provider that charges it. */
export type OpenedPayment = {
  paymentId: string;
  orderNo: string;
  provider: string;
  amountMinor: number;
  currency: string;
};

/**
 * Opens the payment of a user's order, which fixes its amount: a change of price takes the same row's lock and finds
 * the payment opened. From now on the callback may be late. Opening again gives the same amount and does not delay
 * the question to the provider.
 * @returns null if there is no such order or it can't be paid (any more), by the database's clock; or if it goes by parcel and
 *   nobody has said where to.
 */
export async function openPayment(userId: string, orderNo: string): Promise<OpenedPayment | null> {
  const { shard, id } = orderKey(orderNo);
  const rows = await db().$queryRaw<Omit<OpenedPayment, 'orderNo'>[]>`
    UPDATE payments p
    SET opened_at = now(), queries = 0,
        next_query_at = least(p.next_query_at, now() + make_interval(secs => ${FIRST_QUERY_AFTER_SEC}::int))
    FROM orders o JOIN sales s ON s.id = o.sale_id JOIN products g ON g.id = s.product_id
    WHERE o.shard = ${shard} AND o.id = ${id} AND o.user_id = ${userId} AND o.status = 'pending_payment'
      AND o.pay_by > now() AND p.shard = o.shard AND p.order_id = o.id AND p.status IN ('pending', 'failed')
      AND (g.delivery IS DISTINCT FROM 'parcel' OR EXISTS (
        SELECT FROM deliveries d WHERE d.shard = o.shard AND d.order_id = o.id AND d.address IS NOT NULL))
    RETURNING p.id AS "paymentId", p.provider, p.amount_minor AS "amountMinor", p.currency`;
  return rows[0] ? { orderNo, ...rows[0] } : null;
}
