import 'server-only';
import type { ProviderState } from '@/lib/payment/records/types';
import type { KeptPage } from '../kept-pages';
import { readKept } from '../read-kept';
import { sessions } from './open-page';
import { reachStripe } from './reach-stripe';
import { searchCharges } from './search-charges';
import { heldOf, type Session, stateOf } from './state-of';

const PAGE = 100;
/** How many pages of the list of sessions are read; payments not found by then are asked about one by one. */
const PAGES = 30;
const MONEY = 'payment_intent.latest_charge';

/** Returns what Stripe says of these payments; leaves out those it knows nothing of. @throws ProviderFault */
export async function readStates(paymentIds: readonly string[]): Promise<Map<string, ProviderState>> {
  const found = await readKept(await sessions.find(paymentIds), listSessions, read);
  const states = new Map<string, ProviderState>();
  for (const [paymentId, session] of found) states.set(paymentId, stateOf(session));
  const unknown = paymentIds.filter((id) => !states.has(id));
  for (const [paymentId, charge] of await searchCharges(unknown)) states.set(paymentId, heldOf(charge));
  return states;
}

const read = (sessionId: string): Promise<Session> =>
  reachStripe((stripe) => stripe.checkout.sessions.retrieve(sessionId, { expand: [MONEY] }));

/** Reads the sessions that were made between the first and the last of these: a sale's are close together. */
async function listSessions(kept: readonly KeptPage[]): Promise<Map<string, Session>> {
  const times = kept.map(({ createdAt }) => Math.floor(createdAt.getTime() / 1_000));
  const created = { gte: Math.min(...times), lte: Math.max(...times) };
  const wanted = new Set(kept.map(({ pageId }) => pageId));
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
