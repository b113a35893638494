import 'server-only';
import pLimit from 'p-limit';
import { log } from '@/lib/http/log';
import { orderKeys } from '@/lib/order/order-key';
import { within } from '@/lib/outbox/within';
import { claimQueries, type DueQuery, findOpened } from '@/lib/payment/claim-queries';
import { providerOf } from '@/lib/payment/providers';
import { PAYMENT_FAILED, PAYMENT_SUCCEEDED } from '@/lib/payment/types';
import { applyPaymentEvent } from './apply-payment-event';

const AT_A_TIME = 8;
const TIMEOUT_MS = 3_000;
const ROUNDS = 20;

export type Asked = { asked: number; applied: number; failed: number };

/**
 * Asks the providers about payments whose callback is late. What they say goes the way of a callback: one transition, and
 * the wrong amount or currency pays nothing.
 */
export async function askLatePayments(): Promise<Asked> {
  const total: Asked = { asked: 0, applied: 0, failed: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const due = await claimQueries();
    if (due.length === 0) break;
    const result = await askAll(due);
    for (const key of ['asked', 'applied', 'failed'] as const) total[key] += result[key];
  }
  return total;
}

/**
 * Asks about those of these orders that are about to be cancelled although their shopper went to pay: who has paid in time
 * keeps the unit even if no callback ever came. A provider that can't be reached doesn't keep the deadline from passing;
 * money that comes later is dealt with as late.
 */
export async function askBeforeRelease(orderNos: readonly string[]): Promise<Asked> {
  const { shards, ids } = orderKeys(orderNos);
  return askAll(await findOpened(shards, ids));
}

async function askAll(due: readonly DueQuery[]): Promise<Asked> {
  const limit = pLimit(AT_A_TIME);
  const outcomes = await Promise.all(due.map((payment) => limit(() => ask(payment))));
  const count = (outcome: string) => outcomes.filter((each) => each === outcome).length;
  return { asked: due.length, applied: count('applied'), failed: count('failed') };
}

async function ask({ paymentId, provider }: DueQuery): Promise<'applied' | 'unchanged' | 'failed'> {
  try {
    const state = await within(TIMEOUT_MS, provider, providerOf(provider).queryState(paymentId));
    if (state.status === 'unknown') return 'unchanged';
    const { status, amountMinor, currency } = state;
    const type = status === 'succeeded' ? PAYMENT_SUCCEEDED : PAYMENT_FAILED;
    // One id per answer: asked a hundred times, it is recorded once.
    const webhookId = `query_${paymentId}_${status}_${amountMinor}_${currency}`;
    const payload = { source: 'query', status, amountMinor, currency };
    const outcome = await applyPaymentEvent(provider, {
      webhookId,
      type,
      paymentId,
      amountMinor,
      currency,
      payload,
    });
    return outcome === 'applied' || outcome === 'late' ? 'applied' : 'unchanged';
  } catch (err) {
    log.warn({ paymentId, provider, err }, 'the provider could not say what became of a payment');
    return 'failed';
  }
}
