import 'server-only';
import type Stripe from 'stripe';
import { nowMs } from '@/lib/clock';
import { env } from '@/lib/env';
import type { PaymentRef } from '@/lib/payment/records/types';
import type { StripeSession } from '@/prisma/generated/client';
import { findPayment } from '../../records/find-payment';
import { claimSession, keepSession, replaceSession } from './kept-session';
import { toStripe } from './money';
import { reachStripe } from './reach-stripe';
import { hasFailed, type Session } from './state-of';
import { StripeFault } from './stripe-fault';

/** How long a page takes money, s. Stripe takes half an hour at least; what comes after the order's end is late money. */
const OPEN_SEC = 45 * 60;
/** A session that Stripe has not made within this time, ms, could not be open for as long as Stripe demands. */
const MADE_WITHIN_MS = 10 * 60_000;

/**
 * Returns Stripe's page for a payment: the same one until it expires (45 min) or its payment has failed for good, then
 * a new one. The page before takes no money then, so a payment is never taken twice. Returns the order's page once the
 * payment is made.
 * @param returnPath of the order's page
 */
export async function openPage(payment: PaymentRef, returnPath: string): Promise<string> {
  const returnUrl = new URL(returnPath, env().publicUrl).href;
  const title = (await findPayment(payment.paymentId))?.title ?? payment.orderNo;
  let row = await claimSession(payment.paymentId, { title, returnUrl });
  const renew = () => replaceSession(row, { title, returnUrl });
  const session = row.sessionId === null ? null : await read(row.sessionId);
  if (session && !isOver(session)) return session.url ?? returnUrl;
  if (session || nowMs() - row.claimedAt.getTime() > MADE_WITHIN_MS) row = await renew();
  try {
    return await open(payment, row);
  } catch (error) {
    // Stripe gives a fault of its own again for a day to everybody who has the same key.
    if (error instanceof StripeFault && (error.status ?? 0) >= 500) await renew();
    throw error;
  }
}

const read = (sessionId: string): Promise<Session> =>
  reachStripe((stripe) => stripe.checkout.sessions.retrieve(sessionId, { expand: ['payment_intent'] }));

const isOver = (session: Session): boolean => session.status === 'expired' || hasFailed(session);

/** Two calls at once, or one after a lost answer, get the same session: they have the same idempotency key. */
async function open(payment: PaymentRef, row: StripeSession): Promise<string> {
  const { paymentId } = payment;
  const { attempt } = row;
  const idempotencyKey = `${paymentId} ${attempt}`;
  const { id, url, created } = await reachStripe((stripe) =>
    stripe.checkout.sessions.create(termsOf(payment, row), { idempotencyKey }),
  );
  const kept = { paymentId, sessionId: id, createdAt: new Date(created * 1_000) };
  if (!(await keepSession(kept, attempt)) || !url) throw new Error(`${id} is no page to pay on any more`);
  return url;
}

function termsOf(payment: PaymentRef, row: StripeSession): Stripe.Checkout.SessionCreateParams {
  const { paymentId, orderNo } = payment;
  const { title, returnUrl, claimedAt } = row;
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
