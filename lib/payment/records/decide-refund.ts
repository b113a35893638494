import 'server-only';
import type { Db } from '@/lib/db/client';
import { paymentKey } from '@/lib/ids/payment-key';

/**
 * Decides for good to refund money that is due back. Runs in the transaction that holds the payment's lock.
 * @returns false if the money is not due back, or the refund was decided before.
 */
export async function decideRefund(tx: Db, paymentId: string): Promise<boolean> {
  const { shard, orderId } = paymentKey(paymentId);
  const rows = await tx.$executeRaw`
    UPDATE payments SET refund_decided_at = now()
    WHERE shard = ${shard} AND order_id = ${orderId} AND status = 'refund_due' AND refund_decided_at IS NULL`;
  return rows === 1;
}

/** Says whether the shop may still keep money that is due back. Call it under the payment's lock. */
export async function isRefundOpen(tx: Db, paymentId: string): Promise<boolean> {
  const where = { ...paymentKey(paymentId), id: paymentId, status: 'refund_due', refundDecidedAt: null };
  return (await tx.payment.count({ where })) === 1;
}
