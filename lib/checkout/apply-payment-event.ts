import 'server-only';
import { type Db, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { log } from '@/lib/http/log';
import { orderKey } from '@/lib/order/order-key';
import { payOrderRow } from '@/lib/order/pay-order-row';
import { recordEvent as recordOrderEvent } from '@/lib/order/record-event';
import type { OrderStatus } from '@/lib/order/types';
import { putMessage } from '@/lib/outbox/put-message';
import { type LockedPayment, lockPayment } from '@/lib/payment/lock-payment';
import { movePayment } from '@/lib/payment/move-payment';
import type { PaymentEvent } from '@/lib/payment/provider';
import { isRecorded, recordEvent } from '@/lib/payment/record-event';
import { PAYMENT_FAILED, PAYMENT_SUCCEEDED, type PaymentOutcome } from '@/lib/payment/types';
import { isTracing, recordSpan, spanClock } from '@/lib/trace/record-span';
import { announcePaid } from './announce';

/** Rolls back what a callback did that a concurrent one has done; caught right here. */
class Repeated extends Error {}

/**
 * Applies an authentic callback: payment, order and outgoing message change in one transaction, together with the record
 * of the callback. Callbacks may come many times, late and out of order; there is one transition.
 *
 * | callback                           | leads to                                                       |
 * |------------------------------------|----------------------------------------------------------------|
 * | succeeded, order waits             | payment succeeded, order paid, message to each consumer        |
 * | succeeded, order has ended         | payment refund_due, message `payments/late`                    |
 * | succeeded again, failed afterwards | nothing                                                        |
 * | wrong amount or currency, unknown  | nothing                                                        |
 *
 * Lock order: payment, order (then sale, in other transactions).
 */
export async function applyPaymentEvent(provider: string, event: PaymentEvent): Promise<PaymentOutcome> {
  const beganAt = spanClock();
  try {
    const { outcome, orderNo } = await transaction(async (tx) => {
      const payment = await lockPayment(tx, provider, event.paymentId);
      const orderNo = payment && String(payment.order_id);
      if (await isRecorded(tx, provider, event.webhookId)) return { outcome: 'repeated' as const, orderNo };
      const outcome = payment ? await apply(tx, provider, payment, event) : 'unknown_payment';
      if (!(await recordEvent(tx, provider, event, outcome))) throw new Repeated();
      return { outcome, orderNo };
    });
    log.info({ orderNo, paymentId: event.paymentId, type: event.type, outcome }, 'payment callback');
    if (isTracing() && orderNo && outcome === 'applied') await trace(orderNo, beganAt, event);
    return outcome;
  } catch (error) {
    if (error instanceof Repeated) return 'repeated';
    throw error;
  }
}

async function apply(
  tx: Db,
  provider: string,
  payment: LockedPayment,
  event: PaymentEvent,
): Promise<PaymentOutcome> {
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
    provider,
  });
  if (saleId !== null) {
    await announcePaid(tx, { saleId, orderNo });
    return 'applied';
  }
  if (!(await movePayment(tx, payment.id, ['succeeded'], 'refund_due'))) {
    throw new Error(`payment ${payment.id} changed under its lock`);
  }
  const { saleId: lateFor } = await recordLate(tx, orderNo, provider, payment);
  await putMessage(tx, 'payments/late', { paymentId: payment.id, orderNo, saleId: lateFor });
  return 'late';
}

async function trace(orderNo: string, beganAt: number, { type }: PaymentEvent): Promise<void> {
  const order = await db().order.findUnique({ where: { shard_id: orderKey(orderNo) } });
  if (order) recordSpan('pay', order.jti, beganAt, { saleId: order.saleId, orderNo, type });
}

async function recordLate(
  tx: Db,
  orderNo: string,
  provider: string,
  payment: LockedPayment,
): Promise<{ saleId: string }> {
  const select = { saleId: true, status: true };
  const { saleId, status } = await tx.order.findUniqueOrThrow({
    where: { shard_id: orderKey(orderNo) },
    select,
  });
  const [from, to] = [status as OrderStatus, status as OrderStatus];
  const data = { amountMinor: payment.amount_minor, currency: payment.currency };
  const actor = { kind: 'provider', id: provider } as const;
  await recordOrderEvent(tx, { orderNo, actor, from, to, cause: 'payment_late', data });
  return { saleId };
}
