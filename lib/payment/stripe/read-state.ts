import 'server-only';
import type Stripe from 'stripe';
import type { Money, ProviderState } from '../provider';
import { findSessions, type KeptSession } from './kept-session';
import { fromStripe } from './money';
import { reachStripe } from './reach-stripe';
import { searchCharges } from './search-charges';

/** Up to so many payments are asked about one by one; more are looked for in Stripe's list of sessions. */
const ONE_BY_ONE = 8;
const PAGE = 100;
/** How many pages of that list are read; payments not found by then are asked about one by one. */
const PAGES = 30;
const MONEY = 'payment_intent.latest_charge';

/** Returns what Stripe says of these payments; leaves out those it knows nothing of. @throws Stripe's errors */
export async function readStates(paymentIds: readonly string[]): Promise<Map<string, ProviderState>> {
  const kept = await findSessions(paymentIds);
  const sessions = kept.length > ONE_BY_ONE ? await listSessions(kept) : new Map<string, Session>();
  const missing = kept.filter(({ sessionId }) => !sessions.has(sessionId));
  await Promise.all(
    missing.map(async ({ sessionId }) => {
      const session = await reachStripe((stripe) =>
        stripe.checkout.sessions.retrieve(sessionId, { expand: [MONEY] }),
      );
      sessions.set(sessionId, session);
    }),
  );
  const states = new Map<string, ProviderState>();
  for (const { paymentId, sessionId } of kept) {
    const session = sessions.get(sessionId);
    if (session) states.set(paymentId, stateOf(session));
  }
  const unknown = paymentIds.filter((id) => !states.has(id));
  for (const [paymentId, charge] of await searchCharges(unknown)) states.set(paymentId, heldOf(charge));
  return states;
}

type Session = Stripe.Checkout.Session;

/** Reads the sessions that were made between the first and the last of these: a sale's are close together. */
async function listSessions(kept: readonly KeptSession[]): Promise<Map<string, Session>> {
  const times = kept.map(({ createdAt }) => Math.floor(createdAt.getTime() / 1_000));
  const created = { gte: Math.min(...times), lte: Math.max(...times) };
  const wanted = new Set(kept.map(({ sessionId }) => sessionId));
  const found = new Map<string, Session>();
  let after: string | undefined;
  for (let page = 0; page < PAGES && found.size < wanted.size; page += 1) {
    const { data, has_more } = await reachStripe((stripe) =>
      stripe.checkout.sessions.list({
        created,
        limit: PAGE,
        expand: [`data.${MONEY}`],
        ...(after === undefined ? {} : { starting_after: after }),
      }),
    );
    for (const session of data) if (wanted.has(session.id)) found.set(session.id, session);
    after = data.at(-1)?.id;
    if (!has_more || after === undefined) break;
  }
  return found;
}

/** Reads a session with its charge. Money under way (Alipay, a bank's transfer) is unknown until it is there. */
export function stateOf(session: Session): ProviderState {
  const intent = typeof session.payment_intent === 'string' ? null : session.payment_intent;
  const charge = typeof intent?.latest_charge === 'string' ? null : intent?.latest_charge;
  if (session.payment_status === 'paid' && charge) return heldOf(charge);
  const money = wholeMoney(session.amount_total ?? 0, session.currency ?? '');
  const hasFailed = session.status === 'complete' && intent?.status === 'requires_payment_method';
  if (session.status === 'expired' || hasFailed) return { status: 'failed', ...money };
  return { status: 'unknown' };
}

/** What Stripe holds of a charge. A part that staff sent back there is not held any more. */
export function heldOf(charge: Stripe.Charge): Money & { status: 'succeeded' | 'refunded' } {
  const { amount_captured, amount_refunded, currency, refunded } = charge;
  if (refunded) return { status: 'refunded', ...wholeMoney(amount_captured, currency) };
  return { status: 'succeeded', ...wholeMoney(amount_captured - amount_refunded, currency) };
}

function wholeMoney(amount: number, currency: string): Money {
  const money = fromStripe(amount, currency);
  if (!money) throw new Error(`Stripe says ${amount} ${currency}, which is no whole amount`);
  return money;
}
