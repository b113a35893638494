import 'server-only';
import { db } from '@/lib/db/client';
import { plainMoney } from '@/lib/money';
import type { PartRefund, PartRefundResult } from '../provider';

/** Notes in the sandbox's books that a part of a payment's money was refunded, once for each key. */
export async function refundPart(part: PartRefund): Promise<PartRefundResult> {
  const { paymentId, amountMinor, currency, key } = part;
  const rows = await db().$executeRaw`
    UPDATE sandbox_payments
    SET returned_minor = returned_minor + ${amountMinor}, refund_keys = array_append(refund_keys, ${key}),
        refunded_at = CASE WHEN returned_minor + ${amountMinor} = amount_minor THEN now() END
    WHERE payment_id = ${paymentId} AND outcome = 'succeeded' AND currency = ${currency} AND refunded_at IS NULL
      AND ${amountMinor}::bigint + returned_minor <= amount_minor AND ${key} <> ALL (coalesce(refund_keys, '{}'))`;
  if (rows === 1) return { status: 'sent' };
  const repeated = await db().sandboxPayment.count({ where: { paymentId, refundKeys: { has: key } } });
  if (repeated > 0) return { status: 'sent' };
  return { status: 'refused', detail: `the sandbox does not hold ${plainMoney(part)} of ${paymentId}` };
}
