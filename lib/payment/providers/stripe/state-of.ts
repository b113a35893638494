import type Stripe from 'stripe';
import type { Money, ProviderState } from '@/lib/payment/records/types';
import { type Held, heldMoney } from '../held-money';
import { ProviderFault } from '../provider-fault';
import { fromStripe } from './money';

export type Session = Stripe.Checkout.Session;

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

/** Returns what Stripe holds of a charge. */
export function heldOf({ amount_captured, amount_refunded, currency, disputed }: Stripe.Charge): Held {
  const { amountMinor: returnedMinor } = wholeMoney(amount_refunded, currency);
  return heldMoney(wholeMoney(amount_captured, currency), returnedMinor, disputed);
}

function wholeMoney(amount: number, currency: string): Money {
  const money = fromStripe(amount, currency);
  if (!money) throw new ProviderFault(`Stripe says ${amount} ${currency}, which is no whole amount`);
  return money;
}
