import 'server-only';
import type { PaymentOutcome } from '@/lib/contract/words/payment';
import type { Db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { log } from '@/lib/http/log';
import { noticesOf } from '@/lib/order/records/announce';
import { cancelOrderRow } from '@/lib/order/records/cancel-order-row';
import { readStand } from '@/lib/order/records/read-stand';
import { recordEvent } from '@/lib/order/records/record-event';
import type { StockOrder } from '@/lib/order/records/types';
import { putMessages } from '@/lib/outbox/put-message';
import { isSameMoney } from '@/lib/payment/records/compare-books';
import { type LockedPayment, lockPayment } from '@/lib/payment/records/lock-payment';
import { movePayment } from '@/lib/payment/records/move-payment';
import { oweBack } from '@/lib/payment/records/owe-back';
import { recordCallback } from '@/lib/payment/records/record-callback';
import {
  type Money,
  PAYMENT_FAILED,
  PAYMENT_SUCCEEDED,
  type ProviderState,
} from '@/lib/payment/records/types';
import { releaseUnits } from '@/lib/sale/records/committed-stock';
import { settleEnded } from '@/lib/settlement/settle-released';
import { spanClock } from '@/lib/trace/record-span';
import { takeMoney } from './take-money';
import { tracePayment } from './trace-payment';

/**
 * `unchanged`: there is nothing to book. `settled`: the payment was settled before; whether the provider agrees is
 * another question.
 */
type BooksOutcome = PaymentOutcome | 'unchanged' | 'settled';

type Answer = Exclude<ProviderState, { status: 'unknown' }>;
type Applied = { outcome: PaymentOutcome; released?: StockOrder };

/**
 * Applies the provider's own books to a payment, since the shop believes them (decision 031). The exact money pays the
 * order. Other money goes back in full: the order is cancelled and its units are released. A failed payment may be
 * tried again. Idempotent. Lock order: payment, order, sale.
 */
export async function applyBooks(
  provider: string,
  paymentId: string,
  state: ProviderState,
): Promise<BooksOutcome> {
  const beganAt = spanClock();
  const applied = await transaction(
    async (tx): Promise<(Applied & { orderNo: string }) | 'unchanged' | 'settled'> => {
      const payment = await lockPayment(tx, provider, paymentId);
      if (payment?.status !== 'pending' && payment?.status !== 'failed') return 'settled';
      if (state.status === 'unknown' || state.status === 'refunded') return 'unchanged';
      const result = await apply(tx, provider, payment, state);
      await record(tx, provider, paymentId, state, result.outcome);
      return { ...result, orderNo: String(payment.order_id) };
    },
  );
  if (typeof applied === 'string') return applied;
  const { outcome, orderNo, released } = applied;
  log.info({ orderNo, paymentId, outcome, state }, 'the provider was asked about a payment');
  if (released) await settleEnded(released);
  if (outcome === 'applied') await tracePayment(orderNo, beganAt, typeOf(state));
  return outcome;
}

async function apply(tx: Db, provider: string, payment: LockedPayment, state: Answer): Promise<Applied> {
  const { id, amount_minor: amountMinor, currency } = payment;
  if (state.status === 'failed')
    return { outcome: (await movePayment(tx, id, ['pending'], 'failed')) ? 'applied' : 'ignored' };
  if (!isSameMoney(state, { amountMinor, currency })) return sendBack(tx, provider, payment, state);
  return { outcome: await takeMoney(tx, provider, payment) };
}

/** Handles money of another amount or currency than the order's: the shop keeps none of it, and the payer gets no order. */
async function sendBack(tx: Db, provider: string, payment: LockedPayment, taken: Money): Promise<Applied> {
  const { id: paymentId, order_id, amount_minor: expectedMinor, currency: expectedCurrency } = payment;
  if (!(await oweBack(tx, paymentId, taken))) throw new Error(`payment ${paymentId} changed under its lock`);
  const orderNo = String(order_id);
  const order = await readStand(tx, orderNo);
  const { saleId, userId, status } = order;
  const actor = { kind: 'provider', id: provider } as const;
  const { amountMinor, currency } = taken;
  const data = { amountMinor, currency, expectedMinor, expectedCurrency };
  const cancelled = await cancelOrderRow(tx, { userId, orderNo }, 'payment_mismatch', actor, data);
  if (!cancelled)
    await recordEvent(tx, { orderNo, actor, from: status, to: status, cause: 'payment_mismatch', data });
  await putMessages(tx, [
    { topic: 'payments/late', payload: { paymentId, orderNo, saleId } },
    ...noticesOf('payment_mismatch', { saleId, orderNo }),
  ]);
  if (!cancelled) return { outcome: 'sent_back' };
  await releaseUnits(tx, cancelled);
  return { outcome: 'sent_back', released: { orderNo, saleId, userId } };
}

const typeOf = ({ status }: ProviderState) => (status === 'succeeded' ? PAYMENT_SUCCEEDED : PAYMENT_FAILED);

/** Records each answer once, however often the provider gives it. */
async function record(
  tx: Db,
  provider: string,
  paymentId: string,
  state: Answer,
  outcome: PaymentOutcome,
): Promise<void> {
  const { status, amountMinor, currency } = state;
  const event = {
    webhookId: `query_${paymentId}_${status}_${amountMinor}_${currency}`,
    type: typeOf(state),
    paymentId,
    amountMinor,
    currency,
    payload: { source: 'query', status, amountMinor, currency },
  };
  await recordCallback(tx, provider, event, outcome);
}
