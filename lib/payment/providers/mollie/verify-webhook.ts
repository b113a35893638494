import 'server-only';
import { db } from '@/lib/db/client';
import {
  PAYMENT_DISPUTED,
  PAYMENT_FAILED,
  PAYMENT_REFUND_FAILED,
  PAYMENT_REFUNDED,
  PAYMENT_SUCCEEDED,
  type PaymentEvent,
  type ProviderState,
} from '@/lib/payment/records/types';
import type { WebhookVerdict } from '../provider';
import { askInTurn } from './ask-in-turn';
import { fromMollie } from './money';
import { readPayment } from './read-payment';
import { isSent, type Payment, stateOf } from './state-of';

const MOLLIE_ID = /^tr_[A-Za-z0-9]{1,60}$/;

const askAbout = askInTurn(readPayment);

/**
 * Reads a callback. It is not signed and says no more than `id=tr_…`, so it is never believed: Mollie is asked. Strangers
 * make nobody ask, because they know no id of a payment of this shop; whoever knows one makes one question at a time.
 * @throws ProviderFault if Mollie can't be asked: it sends the callback again
 */
export async function verifyWebhook(rawBody: string): Promise<WebhookVerdict> {
  const id = new URLSearchParams(rawBody).get('id') ?? '';
  if (!MOLLIE_ID.test(id)) return { status: 'malformed', detail: 'the body names no payment of Mollie' };
  const known = await db().molliePayment.findUnique({ where: { pageId: id } });
  if (!known) return { status: 'not_ours' };
  return { status: 'authentic', event: eventOf(known.paymentId, await askAbout(id)) };
}

/** `webhookId` names the payment's state: what Mollie says again changes nothing. It leaves out who paid. */
function eventOf(paymentId: string, payment: Payment): PaymentEvent {
  const { id, status, amount, amountRefunded, amountChargedBack, paidAt } = payment;
  const state = stateOf(payment);
  const failed = payment._embedded?.refunds?.filter((refund) => !isSent(refund)).length ?? 0;
  const type = typeOf(state, status, failed > 0);
  const details = { id, status, amount, amountRefunded, amountChargedBack, paidAt };
  return {
    webhookId: [id, type, returnedOf(state), failed, amountChargedBack?.value].join(' '),
    type,
    paymentId,
    ...fromMollie(amount),
    payload: JSON.parse(JSON.stringify(details)),
  };
}

const returnedOf = (state: ProviderState): number =>
  state.status === 'unknown' ? 0 : (state.returnedMinor ?? 0);

/** @param hasFailed whether a refund did not arrive, or was called off at Mollie */
function typeOf(state: ProviderState, status: string, hasFailed: boolean): string {
  if (state.status === 'unknown') return `payment.${status}`;
  if (state.isDisputed) return PAYMENT_DISPUTED;
  if (state.status === 'failed') return PAYMENT_FAILED;
  if (state.status === 'refunded') return PAYMENT_REFUNDED;
  if (hasFailed) return PAYMENT_REFUND_FAILED;
  return state.returnedMinor ? PAYMENT_REFUNDED : PAYMENT_SUCCEEDED;
}
