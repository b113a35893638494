import 'server-only';
import type Stripe from 'stripe';
import { db } from '@/lib/db/client';
import type { PaymentRef } from '@/lib/payment/records/types';
import { keptPages, type PageRow } from '../kept-pages';
import { openOnePage } from '../open-one-page';
import { toStripe } from './money';
import { reachStripe } from './reach-stripe';
import { hasFailed } from './state-of';

/** How long a page takes money, s. Stripe takes half an hour at least; what comes after the order's end is late money. */
const OPEN_SEC = 45 * 60;
/** A session that Stripe has not made within this time, ms, could not be open for as long as Stripe demands. */
const MADE_WITHIN_MS = 10 * 60_000;

/** Which session takes a payment's money. */
export const sessions = keptPages(() => db().stripeSession);

/**
 * Returns Stripe's page for a payment: the same one until it expires (45 min) or its payment has failed for good, then
 * a new one.
 */
export const openPage = (payment: PaymentRef, returnPath: string): Promise<string> =>
  openOnePage({ pages: sessions, madeWithinMs: MADE_WITHIN_MS, read, make }, payment, returnPath);

async function read(sessionId: string) {
  const session = await reachStripe((stripe) =>
    stripe.checkout.sessions.retrieve(sessionId, { expand: ['payment_intent'] }),
  );
  return { url: session.url, isOver: session.status === 'expired' || hasFailed(session) };
}

async function make(payment: PaymentRef, row: PageRow, idempotencyKey: string) {
  const { id, url, created } = await reachStripe((stripe) =>
    stripe.checkout.sessions.create(termsOf(payment, row), { idempotencyKey }),
  );
  return { pageId: id, createdAt: new Date(created * 1_000), url };
}

function termsOf(
  payment: PaymentRef,
  { title, returnUrl, claimedAt }: PageRow,
): Stripe.Checkout.SessionCreateParams {
  const { paymentId, orderNo } = payment;
  const { amount, currency } = toStripe(payment);
  const metadata = { paymentId, orderNo };
  return {
    mode: 'payment',
    client_reference_id: paymentId,
    metadata,
    // Stripe copies it to the charge, which the statement shows.
    payment_intent_data: { metadata, description: orderNo },
    line_items: [
      { quantity: 1, price_data: { currency, unit_amount: amount, product_data: { name: title } } },
    ],
    // Our books have the sale's currency alone.
    adaptive_pricing: { enabled: false },
    expires_at: Math.floor(claimedAt.getTime() / 1_000) + OPEN_SEC,
    success_url: returnUrl,
    cancel_url: returnUrl,
  };
}
