import 'server-only';
import type { Db } from '@/lib/db/client';
import { paymentKey } from '@/lib/ids/payment-key';
import type { Money } from './types';

/**
 * Books that the provider took other money than an unpaid payment asked for: all of it is due back, and nothing may
 * keep it. Runs in the transaction that holds the payment's lock.
 * @returns false if the payment is settled.
 */
export async function oweBack(tx: Db, paymentId: string, taken: Money): Promise<boolean> {
  const { shard, orderId } = paymentKey(paymentId);
  const rows = await tx.$executeRaw`
    UPDATE payments
    SET status = 'refund_due', taken_minor = ${taken.amountMinor}, taken_currency = ${taken.currency}, settled_at = now(),
        refund_decided_at = now(), next_query_at = NULL, version = version + 1, updated_at = now()
    WHERE shard = ${shard} AND order_id = ${orderId} AND status IN ('pending', 'failed')`;
  return rows === 1;
}
