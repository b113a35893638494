import 'server-only';
import type { PaymentOutcome } from '@/lib/contract/words/payment';
import type { Db } from '@/lib/db/client';
import { isDataError } from '@/lib/db/sql-state';
import { transaction } from '@/lib/db/transaction';
import { log } from '@/lib/http/log';
import { orderNoOf } from '@/lib/ids/order-no-of';
import { paidMessages } from '@/lib/order/records/announce';
import { payAtOnce } from '@/lib/order/records/pay-at-once';
import { askAgain } from '@/lib/payment/records/ask-again';
import { isSameMoney } from '@/lib/payment/records/compare-books';
import { type LockedPayment, lockPayment } from '@/lib/payment/records/lock-payment';
import { movePayment } from '@/lib/payment/records/move-payment';
import { isCallbackRecorded, recordCallback } from '@/lib/payment/records/record-callback';
import {
  PAYMENT_DISPUTED,
  PAYMENT_FAILED,
  PAYMENT_REFUND_FAILED,
  PAYMENT_REFUNDED,
  PAYMENT_SUCCEEDED,
  type PaymentEvent,
} from '@/lib/payment/records/types';
import { spanClock } from '@/lib/trace/record-span';
import { takeMoney } from './take-money';
import { tracePayment } from './trace-payment';

/** Rolls a callback back when a concurrent one has already done the same; caught right here. */
class Repeated extends Error {}

/**
 * Applies an authentic callback: payment, order, messages and the record of the callback change together, usually in
 * one statement (`payAtOnce`). Callbacks may come many times, late and out of order; there is one transition. Decision
 * 012 lists what each callback leads to. Lock order: payment, order (then sale, in other transactions).
 */
export async function applyPaymentEvent(provider: string, event: PaymentEvent): Promise<PaymentOutcome> {
  const beganAt = spanClock();
  const { outcome, orderNo } =
    (await paidAtOnce(provider, event)) ?? (await applyInTransaction(provider, event));
  log.info({ orderNo, paymentId: event.paymentId, type: event.type, outcome }, 'payment callback');
  if (orderNo && outcome === 'applied') await tracePayment(orderNo, beganAt, event.type);
  return outcome;
}

type Weighed = { outcome: PaymentOutcome; orderNo: string | null };

/** Applies the callback that pays a waiting order. @returns null if it is any other: then nothing has changed */
async function paidAtOnce(provider: string, event: PaymentEvent): Promise<Weighed | null> {
  const orderNo = orderNoOf(event.paymentId);
  if (orderNo === null || event.type !== PAYMENT_SUCCEEDED) return null;
  try {
    const isPaid = await payAtOnce(provider, event, orderNo, paidMessages({ saleId: '', orderNo }));
    return isPaid ? { outcome: 'applied', orderNo } : null;
  } catch (error) {
    if (isDataError(error)) return null;
    throw error;
  }
}

/** Applies a callback in the transaction that finds out what it leads to. */
async function applyInTransaction(provider: string, event: PaymentEvent): Promise<Weighed> {
  try {
    return await transaction(async (tx) => {
      const payment = await lockPayment(tx, provider, event.paymentId);
      const orderNo = payment && String(payment.order_id);
      if (await isCallbackRecorded(tx, provider, event.webhookId)) return { outcome: 'repeated', orderNo };
      const outcome = payment ? await apply(tx, provider, payment, event) : outcomeWithoutPayment(event);
      if (!(await recordCallback(tx, provider, event, outcome))) throw new Repeated();
      return { outcome, orderNo };
    });
  } catch (error) {
    if (error instanceof Repeated) return { outcome: 'repeated', orderNo: null };
    throw error;
  }
}

/** A provider may tell of much that is no payment of an order. */
const outcomeWithoutPayment = ({ type }: PaymentEvent) =>
  KNOWN_TYPES.has(type) ? 'unknown_payment' : 'ignored';

const KNOWN_TYPES: ReadonlySet<string> = new Set([PAYMENT_SUCCEEDED, PAYMENT_FAILED, PAYMENT_DISPUTED]);
/** How much the provider holds after these, only its own books say. */
const ABOUT_REFUNDS: ReadonlySet<string> = new Set([PAYMENT_REFUNDED, PAYMENT_REFUND_FAILED]);

async function apply(
  tx: Db,
  provider: string,
  payment: LockedPayment,
  event: PaymentEvent,
): Promise<PaymentOutcome> {
  if (ABOUT_REFUNDS.has(event.type)) {
    await askAgain(tx, [payment.id]);
    return event.type === PAYMENT_REFUNDED ? 'ignored' : 'mismatch';
  }
  if (!KNOWN_TYPES.has(event.type)) return 'ignored';
  const isSame = isSameMoney(event, { amountMinor: payment.amount_minor, currency: payment.currency });
  if (!isSame || event.type === PAYMENT_DISPUTED) {
    // The callback is neither believed nor dropped: the provider's own books decide.
    await askAgain(tx, [payment.id]);
    return 'mismatch';
  }
  if (event.type === PAYMENT_FAILED) {
    return (await movePayment(tx, payment.id, ['pending'], 'failed')) ? 'applied' : 'ignored';
  }
  const outcome = await takeMoney(tx, provider, payment);
  if (outcome === 'repeated') await askAgain(tx, [payment.id]);
  return outcome;
}
