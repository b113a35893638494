import 'server-only';
import { db } from '@/lib/db/client';
import { orderKey } from '@/lib/ids/order-key';
import type { OpenedPayment } from './open-payment';

/** Finds the payment that has paid this user's order; null if there is no such order or it is not paid. */
export async function findPaidPayment(userId: string, orderNo: string): Promise<OpenedPayment | null> {
  const { shard, id } = orderKey(orderNo);
  const rows = await db().$queryRaw<Omit<OpenedPayment, 'orderNo'>[]>`
    SELECT p.id AS "paymentId", p.provider, p.amount_minor AS "amountMinor", p.currency
    FROM orders o JOIN payments p ON p.shard = o.shard AND p.order_id = o.id
    WHERE o.shard = ${shard} AND o.id = ${id} AND o.user_id = ${userId} AND o.status = 'paid'`;
  return rows[0] ? { orderNo, ...rows[0] } : null;
}
