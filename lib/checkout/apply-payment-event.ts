import 'server-only';
import type { Db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { payOrderRow } from '@/lib/order/pay-order-row';
import { putMessage } from '@/lib/outbox/put-message';
import { type LockedPayment, lockPayment } from '@/lib/payment/lock-payment';
import { movePayment } from '@/lib/payment/move-payment';
import type { PaymentEvent } from '@/lib/payment/provider';
import { isRecorded, recordEvent } from '@/lib/payment/record-event';
import { PAYMENT_FAILED, PAYMENT_SUCCEEDED, type PaymentOutcome } from '@/lib/payment/types';

/** Rolls back what a callback did that a concurrent one has done; caught right here. */
class Repeated extends Error {}

/**
 * Applies an authentic callback: payment, order and outgoing message change in one transaction, together with the record
 * of the callback. Callbacks may come many times, late and out of order; there is one transition.
 *
 * | callback                           | leads to                                                       |
 * |------------------------------------|----------------------------------------------------------------|
 * | succeeded, order waits             | payment succeeded, order paid, message `orders/paid`           |
 * | succeeded, order has ended         | payment refund_due, message `payments/late`                    |
 * | succeeded again, failed afterwards | nothing                                                        |
 * | wrong amount or currency, unknown  | nothing                                                        |
 *
 * Lock order: payment, order (then sale, in other transactions).
 */
export async function applyPaymentEvent(provider: string, event: PaymentEvent): Promise<PaymentOutcome> {
  try {
    return await transaction(async (tx) => {
      const payment = await lockPayment(tx, provider, event.paymentId);
      if (await isRecorded(tx, provider, event.webhookId)) return 'repeated';
      const outcome = payment ? await apply(tx, payment, event) : 'unknown_payment';
      if (!(await recordEvent(tx, provider, event, outcome))) throw new Repeated();
      return outcome;
    });
  } catch (error) {
    if (error instanceof Repeated) return 'repeated';
    throw error;
  }
}

async function apply(tx: Db, payment: LockedPayment, event: PaymentEvent): Promise<PaymentOutcome> {
  if (event.type !== PAYMENT_SUCCEEDED && event.type !== PAYMENT_FAILED) return 'ignored';
  if (event.amountMinor !== payment.amount_minor || event.currency !== payment.currency) return 'mismatch';
  if (event.type === PAYMENT_FAILED) {
    return (await movePayment(tx, payment.id, ['pending'], 'failed')) ? 'applied' : 'ignored';
  }
  if (!(await movePayment(tx, payment.id, ['pending', 'failed'], 'succeeded'))) return 'repeated';
  const orderNo = String(payment.order_id);
  const key = { shard: payment.shard, id: payment.order_id };
  const saleId = await payOrderRow(tx, key, {
    amountMinor: payment.amount_minor,
    currency: payment.currency,
  });
  if (saleId !== null) {
    await putMessage(tx, 'orders/paid', { saleId, orderNo });
    return 'applied';
  }
  if (!(await movePayment(tx, payment.id, ['succeeded'], 'refund_due'))) {
    throw new Error(`payment ${payment.id} changed under its lock`);
  }
  await putMessage(tx, 'payments/late', { paymentId: payment.id, orderNo });
  return 'late';
}
