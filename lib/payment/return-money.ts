import 'server-only';
import { transaction } from '@/lib/db/transaction';
import { log } from '@/lib/http/log';
import { reachProvider } from '@/lib/payment/providers/reach-provider';
import { findPayment, type StoredPayment } from '@/lib/payment/records/find-payment';
import { lockPayment } from '@/lib/payment/records/lock-payment';
import { markSentBack } from '@/lib/payment/records/mark-sent-back';
import { readParts } from '@/lib/payment/records/refund-parts';
import type { Money } from '@/lib/payment/records/types';
import { keepLatePayment } from './keep-late-payment';
import { bookPart, sendParts } from './send-parts';
import { tellReturn } from './tell-return';

type DueBack = { paymentId: string };

/**
 * Handles money that is due back. A paid order's parts are sent. Late money buys its units again if they are free;
 * otherwise all that the provider holds goes back. A repeated message changes nothing: this asks the provider first.
 * @returns how many payments, or parts of them, were refunded by this call.
 * @throws the first failure, after all others have had their turn.
 */
export async function returnMoney(messages: readonly DueBack[]): Promise<number> {
  let refunded = 0;
  const failures: unknown[] = [];
  for (const paymentId of new Set(messages.map((message) => message.paymentId))) {
    try {
      refunded += await refund(paymentId);
    } catch (err) {
      log.error({ paymentId, err }, 'money that is due back could not be sent');
      failures.push(err);
    }
  }
  if (failures.length > 0) throw failures[0];
  return refunded;
}

async function refund(paymentId: string): Promise<number> {
  const payment = await findPayment(paymentId);
  if (payment?.status === 'succeeded') return sendParts(payment);
  if (payment?.status !== 'refund_due') return 0;
  if ((await keepLatePayment(payment)) !== 'refund') return 0;
  return (await recordRefund(payment, await sendBack(payment))) ? 1 : 0;
}

/**
 * Sends all that the provider still holds of a payment back. @returns what went back in all, parts among it. @throws if it holds
 * nothing, or can't be reached.
 */
async function sendBack({ paymentId, provider: name }: StoredPayment): Promise<Money> {
  const state = await reachProvider(name, (provider) => provider.queryState(paymentId));
  if (state.status !== 'succeeded' && state.status !== 'refunded')
    throw new Error(`${name} holds no money of ${paymentId} that could go back: it says ${state.status}`);
  const { amountMinor, currency, returnedMinor = 0 } = state;
  if (state.status === 'succeeded')
    await reachProvider(name, (provider) => provider.refund({ paymentId, amountMinor, currency }));
  return { amountMinor: amountMinor + returnedMinor, currency };
}

/**
 * Records that the money is on its way back, for the books, the history and the shopper. @returns false if it was
 * recorded before.
 */
function recordRefund(payment: StoredPayment, { amountMinor, currency }: Money): Promise<boolean> {
  const { paymentId, provider, partsMinor } = payment;
  return transaction(async (tx) => {
    await lockPayment(tx, provider, paymentId);
    if (!(await markSentBack(tx, paymentId, { amountMinor, currency }))) return false;
    // Parts that were still to be sent went along.
    for (const part of await readParts(tx, paymentId)) await bookPart(tx, payment, part);
    const left = amountMinor - partsMinor;
    await tellReturn(tx, payment, { cause: 'money_returned', amountMinor: left, currency });
    return true;
  });
}
