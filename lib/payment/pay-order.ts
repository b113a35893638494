import 'server-only';
import { findOrder } from '@/lib/order/find-order';
import { findPaidPayment } from '@/lib/order/records/find-paid-payment';
import { openPayment } from '@/lib/order/records/open-payment';
import { providerOf } from '@/lib/payment/providers/providers';

type PayResult =
  | { status: 'payable'; paymentId: string; redirectUrl: string }
  | { status: 'not_payable' }
  | { status: 'not_found' };

/**
 * Returns where to pay an order. The payment was created together with the order, so every call returns the same one,
 * also after it was paid: paying twice is impossible. Opens the payment before the shopper is sent to it; from then
 * on its amount is fixed.
 */
export async function payOrder(userId: string, orderNo: string): Promise<PayResult> {
  const payment = (await openPayment(userId, orderNo)) ?? (await findPaidPayment(userId, orderNo));
  // An order that is still queued, or that failed to be written, has no payment.
  if (!payment)
    return (await findOrder({ userId }, orderNo)) ? { status: 'not_payable' } : { status: 'not_found' };
  const redirectUrl = await providerOf(payment.provider).createRedirectUrl(payment);
  return { status: 'payable', paymentId: payment.paymentId, redirectUrl };
}
