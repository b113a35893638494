import 'server-only';
import { db } from '@/lib/db/client';
import { findPayment } from '@/lib/payment/find-payment';
import { movePayment } from '@/lib/payment/move-payment';
import { providerOf } from '@/lib/payment/providers';

export type LateMessage = { paymentId: string };

/**
 * Gives money back that came after its order had ended. A message that comes again changes nothing: the provider takes
 * the payment id as the idempotency key, and only a payment that is due is moved.
 * @returns how many payments were refunded by this call.
 */
export async function refundLate(messages: readonly LateMessage[]): Promise<number> {
  let refunded = 0;
  for (const paymentId of new Set(messages.map((message) => message.paymentId))) {
    const payment = await findPayment(paymentId);
    if (payment?.status !== 'refund_due') continue;
    await providerOf(payment.provider).refund(payment);
    if (await movePayment(db(), paymentId, ['refund_due'], 'refunded')) refunded += 1;
  }
  return refunded;
}
