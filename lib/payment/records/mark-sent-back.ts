import 'server-only';
import type { Db } from '@/lib/db/client';
import { paymentKey } from '@/lib/ids/payment-key';
import type { Money } from './types';

/**
 * Books money that was due back as refunded, with the amount where it is not what the shop asked for. @returns
 * whether it was due.
 */
export async function markSentBack(tx: Db, paymentId: string, sent: Money): Promise<boolean> {
  const { shard, orderId } = paymentKey(paymentId);
  const rows = await tx.$executeRaw`
    UPDATE payments
    SET status = 'refunded', refunded_at = now(), version = version + 1, updated_at = now(),
        taken_minor = CASE WHEN amount_minor <> ${sent.amountMinor} OR currency <> ${sent.currency} THEN ${sent.amountMinor}::int END,
        taken_currency = CASE WHEN amount_minor <> ${sent.amountMinor} OR currency <> ${sent.currency} THEN ${sent.currency} END
    WHERE shard = ${shard} AND order_id = ${orderId} AND status = 'refund_due'`;
  return rows === 1;
}
