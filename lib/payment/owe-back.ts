import 'server-only';
import type { Db } from '@/lib/db/client';
import type { Money } from './provider';

/**
 * The provider took other money than an unpaid payment asked for: it is due back, all of it, and nothing may keep it. In the
 * transaction that holds the payment's lock.
 * @returns false if the payment is settled.
 */
export async function oweBack(tx: Db, paymentId: string, taken: Money): Promise<boolean> {
  const rows = await tx.$executeRaw`
    UPDATE payments
    SET status = 'refund_due', taken_minor = ${taken.amountMinor}, taken_currency = ${taken.currency}, settled_at = now(),
        refund_decided_at = now(), next_query_at = NULL, version = version + 1, updated_at = now()
    WHERE id = ${paymentId} AND status IN ('pending', 'failed')`;
  return rows === 1;
}
