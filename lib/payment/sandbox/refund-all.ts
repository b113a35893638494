import 'server-only';
import { db } from '@/lib/db/client';
import type { Money } from '../provider';

/**
 * Notes in the sandbox's books that the money of a payment was sent back. Again changes nothing.
 * @throws if the sandbox does not hold exactly this money: who asks for other money has got something wrong.
 */
export async function refundAll({
  paymentId,
  amountMinor,
  currency,
}: Money & { paymentId: string }): Promise<void> {
  const taken = { paymentId, outcome: 'succeeded', amountMinor, currency };
  const { count } = await db().sandboxPayment.updateMany({
    where: { ...taken, refundedAt: null },
    data: { refundedAt: new Date() },
  });
  if (count === 1 || (await db().sandboxPayment.count({ where: taken })) === 1) return;
  throw new Error(`the sandbox holds no ${amountMinor} ${currency} of ${paymentId}`);
}
