import 'server-only';
import { db } from '@/lib/db/client';
import { orderKey } from './order-key';

export type OrderPayment = {
  userId: string;
  /** Unpaid and not past its deadline, by the database's clock. */
  isPayable: boolean;
  isPaid: boolean;
  paymentId: string;
  provider: string;
  amountMinor: number;
  currency: string;
};

/** An order's payment and whether it can be made now; null if there is no such order or it never had a payment. */
export async function findPayable(orderNo: string): Promise<OrderPayment | null> {
  const { shard, id } = orderKey(orderNo);
  const rows = await db().$queryRaw<OrderPayment[]>`
    SELECT o.user_id AS "userId", p.id AS "paymentId", p.provider, p.amount_minor AS "amountMinor", p.currency,
           o.status = 'pending_payment' AND o.pay_by > now() AND p.status IN ('pending', 'failed') AS "isPayable",
           o.status = 'paid' AS "isPaid"
    FROM orders o JOIN payments p ON p.shard = o.shard AND p.order_id = o.id
    WHERE o.shard = ${shard} AND o.id = ${id}`;
  return rows[0] ?? null;
}
