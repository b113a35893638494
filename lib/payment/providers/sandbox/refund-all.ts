import 'server-only';
import { db } from '@/lib/db/client';
import { plainMoney } from '@/lib/money';
import type { Money } from '@/lib/payment/records/types';

/**
 * Notes in the sandbox's books that a payment's money was refunded. A repeated call changes nothing.
 * @throws if the sandbox does not hold exactly this money: a caller that asks for other money has made a mistake.
 */
export async function refundAll({
  paymentId,
  amountMinor,
  currency,
}: Money & { paymentId: string }): Promise<void> {
  const rows = await db().$executeRaw`
    UPDATE sandbox_payments SET refunded_at = coalesce(refunded_at, now())
    WHERE payment_id = ${paymentId} AND outcome = 'succeeded' AND amount_minor - returned_minor = ${amountMinor}
      AND currency = ${currency}`;
  if (rows === 1) return;
  throw new Error(`the sandbox holds no ${plainMoney({ amountMinor, currency })} of ${paymentId}`);
}
