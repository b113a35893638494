import 'server-only';
import type Stripe from 'stripe';
import { env } from '@/lib/env';
import { findPayment } from '../find-payment';
import type { PaymentRef } from '../provider';
import { type Claimed, claimSession, keepSession, replaceSession } from './kept-session';
import { toStripe } from './money';
import { reachStripe } from './reach-stripe';

/** How long a page takes money, s. Stripe takes half an hour at least; what comes after the order's end goes back. */
const OPEN_SEC = 45 * 60;
/** A session that Stripe has not made within this time, ms, could not be open for as long as Stripe demands. */
const MADE_WITHIN_MS = 10 * 60_000;

/**
 * Returns Stripe's page for a payment: the same one until it expires (45 min), then a new one. An expired page takes no
 * money, so a payment is never taken twice. Of a payment that is made it returns the order's page.
 * @param returnPath of the order's page
 * @throws Stripe's errors
 */
export async function openPage(payment: PaymentRef, returnPath: string): Promise<string> {
  const { paymentId } = payment;
  const returnUrl = new URL(returnPath, env().publicUrl).href;
  let claimed = await claimSession(paymentId, returnUrl);
  if (claimed.sessionId !== null) {
    const { sessionId } = claimed;
    const session = await reachStripe((stripe) => stripe.checkout.sessions.retrieve(sessionId));
    if (session.status !== 'expired') return session.url ?? returnUrl;
    claimed = await replaceSession(paymentId, claimed.attempt, returnUrl);
  } else if (Date.now() - claimed.claimedAt.getTime() > MADE_WITHIN_MS) {
    claimed = await replaceSession(paymentId, claimed.attempt, returnUrl);
  }
  return open(payment, claimed);
}

/** Two calls at once, or one after a lost answer, get the same session: they have the same idempotency key. */
async function open(payment: PaymentRef, claimed: Claimed): Promise<string> {
  const { paymentId } = payment;
  const { attempt } = claimed;
  const idempotencyKey = `${paymentId} ${attempt}`;
  const title = (await findPayment(paymentId))?.title ?? payment.orderNo;
  const { id, url, created } = await reachStripe((stripe) =>
    stripe.checkout.sessions.create(termsOf(payment, title, claimed), { idempotencyKey }),
  );
  const isKept = await keepSession(
    { paymentId, sessionId: id, createdAt: new Date(created * 1_000) },
    attempt,
  );
  if (!isKept || !url) throw new Error(`${id} is no page to pay on any more`);
  return url;
}

function termsOf(
  payment: PaymentRef,
  title: string,
  { returnUrl, claimedAt }: Claimed,
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
    // Only the currency of the sale is in our books.
    adaptive_pricing: { enabled: false },
    expires_at: Math.floor(claimedAt.getTime() / 1_000) + OPEN_SEC,
    success_url: returnUrl,
    cancel_url: returnUrl,
  };
}
