import 'server-only';
import { db } from '@/lib/db/client';
import type { PaymentRef } from '@/lib/payment/records/types';

type Outcome = 'succeeded' | 'failed';

/**
 * Notes in the sandbox's own books what became of a payment, before it tells the shop. Money that has moved stays
 * moved: a success remains one.
 * @returns what the books say now.
 */
export async function decideOutcome(payment: PaymentRef, outcome: Outcome): Promise<Outcome> {
  const { paymentId, amountMinor, currency } = payment;
  const rows = await db().$queryRaw<{ outcome: Outcome }[]>`
    INSERT INTO sandbox_payments (payment_id, outcome, amount_minor, currency)
    VALUES (${paymentId}, ${outcome}, ${amountMinor}, ${currency})
    ON CONFLICT (payment_id) DO UPDATE
    SET outcome = CASE WHEN sandbox_payments.outcome = 'succeeded' THEN 'succeeded' ELSE excluded.outcome END,
        amount_minor = CASE WHEN sandbox_payments.outcome = 'succeeded' THEN sandbox_payments.amount_minor
                            ELSE excluded.amount_minor END,
        decided_at = CASE WHEN sandbox_payments.outcome = 'succeeded' THEN sandbox_payments.decided_at ELSE now() END
    RETURNING outcome`;
  return rows[0]?.outcome ?? outcome;
}
