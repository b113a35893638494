import { setTimeout as sleep } from 'node:timers/promises';
import type { EntryToken } from '@/tools/harness/issue-entry-token';
import { askAboutPlace, isWorthAsking } from './ask-about-place';
import type { PlaceEntry } from './ledger';
import type { Visit } from './shopper';

const POLL_MS = 400;
/** Shoppers leave so long before the round closes, so that what comes back is not given to people who have gone. */
const LEAVE_BEFORE_CLOSE_MS = 2_000;
const MOST_TRIES_TO_LEAVE = 20;

/**
 * Joins the waitlist and waits for a unit, as the page does. A unit is a purchase of the token, so it goes into the
 * ledger as an accepted one.
 * @param token null: a draw has put the shopper on the list, who only looks. @param jti of the purchase that the unit will be
 * @param askedAt when the shopper asked for the place, epoch ms
 * @returns the order's number; null: none came; `for_sale`: units are for sale again
 */
export async function waitOnList(
  shopper: Visit,
  token: EntryToken | null,
  { jti = token?.jti ?? '', askedAt = Date.now() }: { jti?: string; askedAt?: number } = {},
): Promise<string | 'for_sale' | null> {
  const { plan, closesAt, ledger } = shopper;
  const since = Date.now();
  const leavesAt = Math.min(
    plan.leavesAfterMs === null ? Number.POSITIVE_INFINITY : since + plan.leavesAfterMs,
    plan.staysInLine ? Number.POSITIVE_INFINITY : closesAt - LEAVE_BEFORE_CLOSE_MS,
  );
  const earlier = new Set(ordersOf(shopper));
  const givenIn = (entry: PlaceEntry, orderNo: unknown): string | null => {
    if (entry.state !== 'given' || typeof orderNo !== 'string' || earlier.has(orderNo)) return null;
    const { userId, answeredAt } = entry;
    const outcome = { kind: 'accepted', orderNo, replay: false } as const;
    ledger.purchases.push({ askedAt, answeredAt, web: '', userId, jti, quantity: 1, outcome });
    return orderNo;
  };
  let hasJoined = token === null;
  while (Date.now() < closesAt) {
    if (Date.now() >= leavesAt && hasJoined) return leave(shopper, givenIn);
    const act = hasJoined ? 'look' : 'join';
    const { entry, body } = await askAboutPlace(shopper, {
      of: 'waitlist',
      act,
      ...(token ? { token } : {}),
    });
    const orderNo = givenIn(entry, body.orderNo);
    if (orderNo !== null) return orderNo;
    if (entry.code === 'UNITS_FOR_SALE') return 'for_sale';
    if (act === 'join' && entry.httpStatus !== null && entry.httpStatus < 300) hasJoined = true;
    else if (!isWorthAsking(entry) && entry.code !== 'NOT_STARTED' && entry.state !== 'waiting') return null;
    await sleep(POLL_MS);
  }
  return null;
}

/** Gives the place up until that is confirmed. @returns the order, if a unit came before */
async function leave(
  shopper: Visit,
  givenIn: (entry: PlaceEntry, orderNo: unknown) => string | null,
): Promise<string | null> {
  for (let tries = 0; tries < MOST_TRIES_TO_LEAVE; tries += 1) {
    const { entry, body } = await askAboutPlace(shopper, { of: 'waitlist', act: 'leave' });
    if (!isWorthAsking(entry)) return givenIn(entry, body.orderNo);
    await sleep(POLL_MS);
  }
  return null;
}

/** The orders that the shopper was told of already. */
const ordersOf = ({ ledger, userId }: Visit): string[] =>
  ledger.purchases.flatMap((entry) =>
    entry.userId === userId && entry.outcome.kind === 'accepted' ? [entry.outcome.orderNo] : [],
  );
