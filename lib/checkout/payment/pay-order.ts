import 'server-only';
import { nowMs } from '@/lib/clock';
import type { OrderView } from '@/lib/contract/shapes/order';
import { log } from '@/lib/http/log';
import { findPaidPayment } from '@/lib/order/find-paid-payment';
import { openPayment } from '@/lib/order/open-payment';
import { ProviderSilentError, reachProvider } from '@/lib/payment/reach-provider';
import { findOrder } from '../order/find-order';

type PayResult =
  | { status: 'payable'; paymentId: string; redirectUrl: string }
  /** The payment provider does not answer. */
  | { status: 'provider_silent' }
  /** It is shipped, and nobody has said where to. */
  | { status: 'address_missing' }
  | { status: 'not_payable' }
  | { status: 'not_found' };

/**
 * Returns where to pay an order. The payment was created together with the order, so every call returns the same one,
 * also after it was paid: paying twice is impossible. Opens the payment before the shopper is sent to it; from then
 * on its amount is fixed.
 * @param returnPath of the order's page, in the shopper's language
 */
export async function payOrder(
  userId: string,
  orderNo: string,
  returnPath = `/orders/${orderNo}`,
): Promise<PayResult> {
  const payment = (await openPayment(userId, orderNo)) ?? (await findPaidPayment(userId, orderNo));
  // An order that is still queued, or that failed to be written, has no payment.
  if (!payment) return { status: whyNot(await findOrder({ userId }, orderNo)) };
  try {
    const redirectUrl = await reachProvider(payment.provider, (provider) =>
      provider.createRedirectUrl(payment, returnPath),
    );
    return { status: 'payable', paymentId: payment.paymentId, redirectUrl };
  } catch (err) {
    if (!(err instanceof ProviderSilentError)) throw err;
    log.warn({ orderNo, provider: payment.provider, err }, 'the provider gave no page to pay on');
    return { status: 'provider_silent' };
  }
}

function whyNot(order: OrderView | null): 'address_missing' | 'not_payable' | 'not_found' {
  if (!order) return 'not_found';
  const isInTime = order.status === 'pending_payment' && (order.payBy ?? 0) > nowMs();
  return isInTime && order.delivery?.hasAddress === false ? 'address_missing' : 'not_payable';
}
