import 'server-only';
import type Stripe from 'stripe';
import { z } from 'zod';
import { env } from '@/lib/env';
import { findUnstorable } from '@/lib/http/find-unstorable';
import type { PaymentEvent, WebhookVerdict } from '../provider';
import { PAYMENT_FAILED, PAYMENT_SUCCEEDED } from '../types';
import { fromStripe } from './money';

/** How old or early a callback may be, s: Stripe's own default. */
const TOLERANCE_SEC = 300;
/** The largest amount our books hold. */
const MAX_AMOUNT = 2_147_483_647;

/** What we read of an event. It leaves out who paid: names and addresses stay at Stripe. */
const eventShape = z.object({
  id: z.string().min(1).max(200),
  type: z.string().min(1).max(100),
  created: z.number().int(),
  data: z.object({ object: z.unknown() }),
});
const sessionShape = z.object({
  id: z.string().min(1).max(200),
  client_reference_id: z.string().max(200).nullish(),
  amount_total: z.number().int().min(0).max(MAX_AMOUNT),
  currency: z.string().regex(/^[a-z]{3}$/),
  payment_status: z.string().max(100),
});
type Event = z.output<typeof eventShape>;

/**
 * Checks a callback by Stripe's signature over time and raw body, then reads it. Only sessions say that money came or
 * that it failed; every other event keeps its own type, which the shop records and ignores.
 */
export async function verifyWebhook(rawBody: string, headers: Headers): Promise<WebhookVerdict> {
  const { default: Client } = await import('stripe');
  let event: Stripe.Event;
  try {
    const signature = headers.get('stripe-signature') ?? '';
    event = Client.webhooks.constructEvent(rawBody, signature, secretOf(), TOLERANCE_SEC);
  } catch (error) {
    if (error instanceof Client.errors.StripeSignatureVerificationError)
      return { status: 'signature_invalid', detail: error.message.trim().split('\n')[0] ?? '' };
    return { status: 'malformed', detail: 'the body is no event of Stripe' };
  }
  const known = eventShape.safeParse(findUnstorable(event) ? null : event);
  const read = known.success ? toEvent(known.data) : null;
  if (!read) return { status: 'malformed', detail: 'the event lacks what its type has' };
  return { status: 'authentic', event: read };
}

const secretOf = (): string => env().stripe?.webhookSecret ?? '';

function toEvent({ id, type, created, data }: Event): PaymentEvent | null {
  const payload = { id, type, created };
  if (!type.startsWith('checkout.session.'))
    return { webhookId: id, type, paymentId: '', amountMinor: 0, currency: '', payload };
  const { data: session } = sessionShape.safeParse(data.object);
  const money = session && fromStripe(session.amount_total, session.currency);
  if (!session || !money) return null;
  return {
    webhookId: id,
    type: typeOf(type, session.payment_status),
    paymentId: session.client_reference_id ?? '',
    ...money,
    payload: { ...payload, session: session.id, paymentStatus: session.payment_status, ...money },
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
