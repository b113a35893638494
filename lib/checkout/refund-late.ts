import 'server-only';
import { transaction } from '@/lib/db/transaction';
import { recordEvent } from '@/lib/order/record-event';
import { statusOf } from '@/lib/order/status-of';
import { putMessages } from '@/lib/outbox/put-message';
import { findPayment, type StoredPayment } from '@/lib/payment/find-payment';
import { lockPayment } from '@/lib/payment/lock-payment';
import { movePayment } from '@/lib/payment/move-payment';
import { providerOf } from '@/lib/payment/providers';
import { noticesOf } from './announce';
import { keepLatePayment } from './keep-late-payment';

export type LateMessage = { paymentId: string };

/**
 * Deals with money that is due back: what came late buys its unit again if one is free; the rest goes back through its
 * provider. A message that comes again changes nothing: the provider takes the payment id as the idempotency key, and only
 * a payment that is due is moved.
 * @returns how many payments were refunded by this call.
 */
export async function refundLate(messages: readonly LateMessage[]): Promise<number> {
  let refunded = 0;
  for (const paymentId of new Set(messages.map((message) => message.paymentId))) {
    const payment = await findPayment(paymentId);
    if (payment?.status !== 'refund_due') continue;
    if ((await keepLatePayment(payment)) !== 'refund') continue;
    await providerOf(payment.provider).refund(payment);
    if (await recordRefund(payment)) refunded += 1;
  }
  return refunded;
}

/** Notes that the money is on its way back, for the books, the history and the shopper. @returns false if it was noted. */
function recordRefund({
  paymentId,
  orderNo,
  saleId,
  provider,
  amountMinor,
  currency,
}: StoredPayment): Promise<boolean> {
  return transaction(async (tx) => {
    await lockPayment(tx, provider, paymentId);
    if (!(await movePayment(tx, paymentId, ['refund_due'], 'refunded'))) return false;
    const status = await statusOf(tx, orderNo);
    await recordEvent(tx, {
      ...{ orderNo, actor: { kind: 'system' }, from: status, to: status, cause: 'money_returned' },
      data: { amountMinor, currency, provider },
    });
    await putMessages(tx, noticesOf('order_refunded', { saleId, orderNo }));
    return true;
  });
}
