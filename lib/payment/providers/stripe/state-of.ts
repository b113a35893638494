import type Stripe from 'stripe';
import type { Money, ProviderState } from '@/lib/payment/records/types';
import { fromStripe } from './money';
import { StripeFault } from './stripe-fault';

export type Session = Stripe.Checkout.Session;
/** Money that Stripe took, as its books say now. */
type Held = Money & { status: 'succeeded' | 'refunded'; returnedMinor?: number; isDisputed?: boolean };

/** Reads a session with its charge. Money under way (Alipay, a bank's transfer) is unknown until it is there. */
export function stateOf(session: Session): ProviderState {
  const charge = intentOf(session)?.latest_charge;
  if (session.payment_status === 'paid' && charge && typeof charge !== 'string') return heldOf(charge);
  if (session.status !== 'expired' && !hasFailed(session)) return { status: 'unknown' };
  return { status: 'failed', ...wholeMoney(session.amount_total ?? 0, session.currency ?? '') };
}

/** Tells whether a payment that took its time has failed. Nobody can pay by this session any more. */
export const hasFailed = (session: Session): boolean =>
  session.status === 'complete' && intentOf(session)?.status === 'requires_payment_method';

const intentOf = ({ payment_intent }: Session) =>
  typeof payment_intent === 'string' ? null : payment_intent;

/** Returns what Stripe holds of a charge. A part that was sent back, from here or by staff there, is not held any more. */
export function heldOf(charge: Stripe.Charge): Held {
  const { amount_captured, amount_refunded, currency, refunded, disputed } = charge;
  const isDisputed = disputed ? { isDisputed: true } : {};
  if (refunded) return { status: 'refunded', ...wholeMoney(amount_captured, currency), ...isDisputed };
  const { amountMinor: returnedMinor } = wholeMoney(amount_refunded, currency);
  const returned = returnedMinor > 0 ? { returnedMinor } : {};
  const held = wholeMoney(amount_captured - amount_refunded, currency);
  return { status: 'succeeded', ...held, ...returned, ...isDisputed };
}

function wholeMoney(amount: number, currency: string): Money {
  const money = fromStripe(amount, currency);
  if (!money) throw new StripeFault(`Stripe says ${amount} ${currency}, which is no whole amount`);
  return money;
}
