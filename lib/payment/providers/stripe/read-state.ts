import 'server-only';
import pLimit from 'p-limit';
import type { ProviderState } from '@/lib/payment/records/types';
import { findSessions, type KeptSession } from './kept-session';
import { reachStripe } from './reach-stripe';
import { searchCharges } from './search-charges';
import { heldOf, type Session, stateOf } from './state-of';

/** Up to so many payments are asked about one by one, at once; more are looked for in Stripe's list of sessions. */
const ONE_BY_ONE = 8;
const PAGE = 100;
/** How many pages of that list are read; payments not found by then are asked about one by one. */
const PAGES = 30;
const MONEY = 'payment_intent.latest_charge';

/** Returns what Stripe says of these payments; leaves out those it knows nothing of. @throws StripeFault */
export async function readStates(paymentIds: readonly string[]): Promise<Map<string, ProviderState>> {
  const kept = await findSessions(paymentIds);
  const sessions = kept.length > ONE_BY_ONE ? await listSessions(kept) : new Map<string, Session>();
  const missing = kept.filter(({ sessionId }) => !sessions.has(sessionId));
  const limit = pLimit(ONE_BY_ONE);
  await Promise.all(
    missing.map(({ sessionId }) => limit(async () => void sessions.set(sessionId, await read(sessionId)))),
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

const read = (sessionId: string): Promise<Session> =>
  reachStripe((stripe) => stripe.checkout.sessions.retrieve(sessionId, { expand: [MONEY] }));

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
