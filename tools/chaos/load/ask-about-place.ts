import { ask } from '@/tools/harness/ask';
import type { EntryToken } from '@/tools/harness/issue-entry-token';
import { ownHeaders, sessionCookie } from '@/tools/harness/sign-in';
import type { PlaceEntry } from './ledger';
import type { Visit } from './shopper';

type Asking = Pick<PlaceEntry, 'of' | 'act'> & {
  /** Whoever has none asks by the account's session. */
  token?: EntryToken;
  body?: object;
};

type Answer = { entry: PlaceEntry; body: Record<string, unknown> };

const METHODS = { join: 'POST', look: 'GET', leave: 'DELETE', enter: 'POST' } as const;

const isCount = (value: unknown): value is number => typeof value === 'number';

/** Asks any web process about the own place, and notes the answer. */
export async function askAboutPlace(shopper: Visit, { of, act, token, body = {} }: Asking): Promise<Answer> {
  const { sale, webs, ledger, random, userId } = shopper;
  const { origin } = random.pick(webs);
  const headers = token
    ? { 'x-entry-token': token.entryToken, 'content-type': 'application/json', origin }
    : ownHeaders(sessionCookie(userId), origin);
  const path = act === 'enter' ? 'entry' : of;
  const reply = await ask(`${origin}/api/sales/${sale.saleId}/${path}`, {
    method: METHODS[act],
    headers,
    body: JSON.stringify(body),
  });
  const { askedAt, answeredAt } = reply;
  const told = reply.kind === 'answered' ? reply.body : {};
  const entry: PlaceEntry = {
    askedAt,
    answeredAt,
    userId,
    of,
    act,
    httpStatus: reply.kind === 'answered' ? reply.httpStatus : null,
    code: String(told.code ?? ''),
    number: isCount(told.number) ? told.number : null,
    place: isCount(told.place) ? told.place : null,
    state: typeof told.state === 'string' ? told.state : null,
    ahead: isCount(told.ahead) ? told.ahead : null,
  };
  ledger.places.push(entry);
  return { entry, body: told };
}

/** Tells whether asking again may bring another answer: nobody answered, or the shop can't at the moment. */
export const isWorthAsking = ({ httpStatus }: PlaceEntry): boolean =>
  httpStatus === null || httpStatus >= 500;
