import 'server-only';
import type Stripe from 'stripe';
import { z } from 'zod';
import { env } from '@/lib/env';
import { findUnstorable } from '@/lib/http/find-unstorable';
import {
  PAYMENT_DISPUTED,
  PAYMENT_FAILED,
  PAYMENT_REFUND_FAILED,
  PAYMENT_REFUNDED,
  PAYMENT_SUCCEEDED,
  type PaymentEvent,
} from '@/lib/payment/records/types';
import type { WebhookVerdict } from '../provider';
import { fromStripe } from './money';
import { reachStripe } from './reach-stripe';
import { heldOf } from './state-of';

/** How old or early a callback may be, s: Stripe's own default. */
const TOLERANCE_SEC = 300;
/** The largest amount our books hold. */
const MAX_AMOUNT = 2_147_483_647;

const id = z.string().min(1).max(200);
/** The parts of an event that we read. They leave out who paid: names and addresses stay at Stripe. */
const eventShape = z.object({
  id,
  type: z.string().min(1).max(100),
  created: z.number().int(),
  data: z.object({ object: z.unknown() }),
});
/** A session that this shop has not made names no payment. */
const ourSession = z.object({ client_reference_id: z.string().min(1) });
const sessionShape = z.object({
  id,
  client_reference_id: id,
  amount_total: z.number().int().min(0).max(MAX_AMOUNT),
  currency: z.string().regex(/^[a-z]{3}$/),
  payment_status: z.string().max(100),
});
const disputeShape = z.object({ id, charge: id, reason: z.string().max(100), status: z.string().max(100) });
const chargeShape = z.object({ id });
const refundShape = z.object({ charge: id });
type Event = z.output<typeof eventShape>;

/**
 * Checks a callback by Stripe's signature over time and raw body, then reads it. Our sessions say that money came or
 * that it failed; a dispute or a refund names its charge, so Stripe is asked whose that is. Every other event keeps its own
 * type, which the shop records and ignores.
 * @throws ProviderFault if Stripe can't be asked: it sends the callback again
 */
export async function verifyWebhook(rawBody: string, headers: Headers): Promise<WebhookVerdict> {
  const { default: Client } = await import('stripe');
  let event: Stripe.Event;
  try {
    const signature = headers.get('stripe-signature') ?? '';
    const secret = env().stripe?.webhookSecret ?? '';
    event = Client.webhooks.constructEvent(rawBody, signature, secret, TOLERANCE_SEC);
  } catch (error) {
    if (error instanceof Client.errors.StripeSignatureVerificationError)
      return { status: 'signature_invalid', detail: error.message.trim().split('\n')[0] ?? '' };
    return { status: 'malformed', detail: 'the body is no event of Stripe' };
  }
  const known = eventShape.safeParse(findUnstorable(event) ? null : event);
  const read = known.success ? await toEvent(known.data) : null;
  if (!read) return { status: 'malformed', detail: 'the event lacks what its type has' };
  return { status: 'authentic', event: read };
}

async function toEvent(event: Event): Promise<PaymentEvent | null> {
  const { id: webhookId, type, created, data } = event;
  const other = {
    webhookId,
    type,
    paymentId: '',
    amountMinor: 0,
    currency: '',
    payload: { id: webhookId, type, created },
  };
  if (type.startsWith('charge.dispute.')) return readDispute(other, data.object);
  if (type === 'charge.refunded')
    return aboutCharge(other, PAYMENT_REFUNDED, chargeShape.safeParse(data.object).data?.id);
  if (type === 'refund.failed')
    return aboutCharge(other, PAYMENT_REFUND_FAILED, refundShape.safeParse(data.object).data?.charge);
  const isOurs = type.startsWith('checkout.session.') && ourSession.safeParse(data.object).success;
  return isOurs ? readSession(other, data.object) : other;
}

/** @param other the event, as far as it is about no payment of ours */
function readSession(other: PaymentEvent, object: unknown): PaymentEvent | null {
  const { type, payload } = other;
  const { data: session } = sessionShape.safeParse(object);
  const money = session && fromStripe(session.amount_total, session.currency);
  if (!session || !money) return null;
  return {
    ...other,
    type: typeOf(type, session.payment_status),
    paymentId: session.client_reference_id,
    ...money,
    payload: { ...payload, session: session.id, paymentStatus: session.payment_status, ...money },
  };
}

/** @returns null if it lacks what a dispute has */
async function readDispute(other: PaymentEvent, object: unknown): Promise<PaymentEvent | null> {
  const { data: dispute } = disputeShape.safeParse(object);
  if (!dispute) return null;
  const type = other.type === 'charge.dispute.created' ? PAYMENT_DISPUTED : other.type;
  const { id: disputeId, reason, status } = dispute;
  const payload = { ...other.payload, dispute: disputeId, reason, status };
  return aboutCharge({ ...other, payload }, type, dispute.charge);
}

/**
 * Asks Stripe whose charge an event is about.
 * @param type what the event is called, if it is about a payment of ours
 * @param chargeId left out: it names none, so it is about no payment of ours
 */
async function aboutCharge(
  other: PaymentEvent,
  type: string,
  chargeId: string | undefined,
): Promise<PaymentEvent> {
  if (chargeId === undefined) return other;
  const charge = await reachStripe((stripe) => stripe.charges.retrieve(chargeId));
  const { paymentId } = charge.metadata;
  if (!paymentId) return other;
  const { amountMinor, currency } = heldOf(charge);
  return {
    ...other,
    type,
    paymentId,
    amountMinor,
    currency,
    payload: { ...other.payload, charge: charge.id },
  };
}

/** A session that is complete may still wait for its money. */
function typeOf(type: string, paymentStatus: string): string {
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return paymentStatus === 'paid' ? PAYMENT_SUCCEEDED : type;
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired':
      return PAYMENT_FAILED;
    default:
      return type;
  }
}
