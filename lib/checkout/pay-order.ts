import 'server-only';
import { findPayable } from '@/lib/order/find-payable';
import { markOpened } from '@/lib/payment/mark-opened';
import { providerOf } from '@/lib/payment/providers';
import { findOrder } from './find-order';

export type PayResult =
  | { status: 'payable'; paymentId: string; redirectUrl: string }
  | { status: 'not_payable' }
  | { status: 'not_found' };

/**
 * Where to pay an order. The payment was made together with the order, so asking again gives the same one, also when it
 * has been paid: paying twice is impossible.
 */
export async function payOrder(userId: string, orderNo: string): Promise<PayResult> {
  const payment = await findPayable(orderNo);
  if (payment?.userId !== userId) {
    // An order that is still queued, or that failed to be written, has no payment.
    return (await findOrder({ userId }, orderNo)) ? { status: 'not_payable' } : { status: 'not_found' };
  }
  if (!payment.isPayable && !payment.isPaid) return { status: 'not_payable' };
  const { paymentId, provider, amountMinor, currency } = payment;
  if (payment.isPayable) await markOpened(paymentId);
  const redirectUrl = await providerOf(provider).createRedirectUrl({
    paymentId,
    orderNo,
    amountMinor,
    currency,
  });
  return { status: 'payable', paymentId, redirectUrl };
}
