import 'server-only';
import type { Db } from '@/lib/db/client';
import { paymentKey } from '@/lib/ids/payment-key';
import type { PaymentStatus } from './types';

/**
 * Moves a payment from one of `from` to `to`. Ends the queries about a settled payment, unless one is due now because
 * a callback reported other money. @returns whether it moved the payment.
 */
export async function movePayment(
  tx: Db,
  paymentId: string,
  from: readonly PaymentStatus[],
  to: PaymentStatus,
): Promise<boolean> {
  const { shard, orderId } = paymentKey(paymentId);
  const rows = await tx.$executeRaw`
    UPDATE payments
    SET status = ${to}, version = version + 1, updated_at = now(),
        settled_at = CASE WHEN ${to} IN ('succeeded', 'refund_due', 'refunded') THEN coalesce(settled_at, now()) END,
        refunded_at = CASE WHEN ${to} = 'refunded' THEN now() END,
        next_query_at = CASE WHEN ${to} IN ('pending', 'failed') OR next_query_at <= now() THEN next_query_at END
    WHERE shard = ${shard} AND order_id = ${orderId} AND status = ANY (${[...from]}::text[])`;
  return rows === 1;
}
