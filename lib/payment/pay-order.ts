import 'server-only';
import { log } from '@/lib/http/log';
import { findOrder } from '@/lib/order/find-order';
import { findPaidPayment } from '@/lib/order/records/find-paid-payment';
import { openPayment } from '@/lib/order/records/open-payment';
import { ProviderSilentError, reachProvider } from '@/lib/payment/providers/reach-provider';

type PayResult =
  | { status: 'payable'; paymentId: string; redirectUrl: string }
  | { status: 'not_payable' }
  /** It goes by parcel, and the shopper has not said where to. */
  | { status: 'address_missing' }
  /** The provider does not say where to pay now. The order stays as it is. */
  | { status: 'provider_silent' }
  | { status: 'not_found' };

/**
 * Returns where to pay an order. The payment was created together with the order, so every call returns the same one,
 * also after it was paid: paying twice is impossible. Opens the payment before the shopper is sent to it; from then
 * on its amount is fixed.
 * @param returnPath the path back, to the order's page in the shopper's language
 */
export async function payOrder(
  userId: string,
  orderNo: string,
  returnPath = `/orders/${orderNo}`,
): Promise<PayResult> {
  const payment = (await openPayment(userId, orderNo)) ?? (await findPaidPayment(userId, orderNo));
  // An order that is still queued, or that failed to be written, has no payment.
  if (!payment) return { status: await whyNot(userId, orderNo) };
  const { paymentId, provider } = payment;
  try {
    const redirectUrl = await reachProvider(provider, (asked) =>
      asked.createRedirectUrl(payment, returnPath),
    );
    return { status: 'payable', paymentId, redirectUrl };
  } catch (err) {
    if (!(err instanceof ProviderSilentError)) throw err;
    log.warn({ orderNo, provider, err }, 'the provider could not say where to pay');
    return { status: 'provider_silent' };
  }
}

async function whyNot(
  userId: string,
  orderNo: string,
): Promise<'not_payable' | 'address_missing' | 'not_found'> {
  const order = await findOrder({ userId }, orderNo);
  if (!order) return 'not_found';
  const { status, payBy, delivery, serverTime } = order;
  const isOpen = status === 'pending_payment' && (payBy ?? 0) > serverTime;
  return isOpen && delivery?.way === 'parcel' && !delivery.hasAddress ? 'address_missing' : 'not_payable';
}
