import 'server-only';
import { nowMs } from '@/lib/clock';
import type { Money } from '@/lib/payment/records/types';
import { ProviderFault } from '../provider-fault';
import { toStripe } from './money';
import { sessions } from './open-page';
import { reachStripe } from './reach-stripe';
import { searchCharges } from './search-charges';

const HOUR_MS = 3_600_000;

/**
 * Sends a payment's money back. A repeated call changes nothing: Stripe never sends back more than it took. Stripe
 * repeats the first answer to an idempotency key for a day, also a refusal for an empty balance, so each hour has a key
 * of its own.
 * @throws if Stripe does not hold this money, or can't send it back now
 */
export async function refundAll({
  paymentId,
  amountMinor,
  currency,
}: Money & { paymentId: string }): Promise<void> {
  const from = await findTaken(paymentId);
  if (!from) throw new ProviderFault(`Stripe holds nothing of ${paymentId}`);
  const { amount } = toStripe({ amountMinor, currency });
  const hour = Math.floor(nowMs() / HOUR_MS);
  try {
    await reachStripe((stripe) =>
      stripe.refunds.create(
        { ...from, amount, metadata: { paymentId } },
        { idempotencyKey: `refund ${paymentId} ${amount} ${hour}` },
      ),
    );
  } catch (error) {
    if (!(error instanceof ProviderFault && error.reason === 'charge_already_refunded')) throw error;
  }
}

/** Finds what took the money: the intent of the payment's session, or the charge that Stripe's search finds. */
export async function findTaken(
  paymentId: string,
): Promise<{ payment_intent: string } | { charge: string } | null> {
  const [kept] = await sessions.find([paymentId]);
  if (!kept) {
    const charge = (await searchCharges([paymentId])).get(paymentId);
    return charge ? { charge: charge.id } : null;
  }
  const { payment_intent } = await reachStripe((stripe) => stripe.checkout.sessions.retrieve(kept.pageId));
  const intent = typeof payment_intent === 'string' ? payment_intent : payment_intent?.id;
  return intent ? { payment_intent: intent } : null;
}
