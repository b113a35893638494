import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stopWatchingEndedSessions, watchEndedSessions } from '@/lib/account/sessions/ended-sessions';
import { sessionCookieName } from '@/lib/account/sessions/session-token';
import { createTask } from '@/lib/challenge/create-task';
import type { OwnPlace } from '@/lib/contract/shapes/line';
import { closeDb, db } from '@/lib/db/client';
import { forgetLine, readLine } from '@/lib/line/find-line';
import { TURN_MS } from '@/lib/line/types';
import { closeRedis } from '@/lib/redis/client';
import { sessionOf } from '@/test/support/call-as';
import { createLineSale, passTime, startsIn } from '@/test/support/line-sale';
import { solve } from '@/test/support/solve-challenge';
import { answerEntry } from '../entry/answer-entry';
import { offerChallenge } from '../entry/offer-challenge';
import { purchase } from '../purchase/purchase';
import { answerJoin } from './answer-join';
import { tendLines } from './tend-lines';

beforeAll(() => watchEndedSessions());
afterAll(async () => {
  stopWatchingEndedSessions();
  await Promise.all([closeRedis(), closeDb()]);
});

type Asked = { cookie: string; body?: object; more?: Record<string, string>; site?: string };

const ask = async (answer: typeof answerJoin, saleId: string, { cookie, body, more = {}, site }: Asked) => {
  const headers = new Headers({
    cookie: `${sessionCookieName()}=${cookie}`,
    'sec-fetch-site': site ?? 'same-origin',
    ...(body ? { 'content-type': 'application/json' } : {}),
    ...more,
  });
  const text = body ? JSON.stringify(body) : '';
  const reply = await answer({ saleId, method: 'POST', headers, body: text, address: null });
  const read = JSON.parse(reply.body) as Partial<OwnPlace> & { code?: string; entryToken?: string };
  return { status: reply.status, ...read };
};
const join = (saleId: string, asked: Asked) => ask(answerJoin, saleId, asked);
const enter = (saleId: string, asked: Asked) => ask(answerEntry, saleId, asked);

const cookiesOf = (userIds: readonly string[]) => Promise.all(userIds.map((userId) => sessionOf(userId)));
const entriesOf = (saleId: string) =>
  db().lineEntry.findMany({ where: { saleId }, orderBy: { number: 'asc' } });

/** Starts the sale and lets workers shuffle and admit. */
async function start(saleId: string): Promise<void> {
  await startsIn({ saleId }, -1);
  for (let round = 0; round < 3; round += 1) {
    await db()
      .$executeRaw`UPDATE lines SET tended_at = tended_at - interval '0.3 seconds' WHERE sale_id = ${saleId}`;
    await tendLines();
  }
  forgetLine(saleId);
}

/** Longer by what the turns are given again where a worker comes seconds late, as on a machine that stands still. */
const LONGER_THAN_A_TURN_MS = TURN_MS + 2_000;

/** What a client may claim about itself. */
const claims = (userId: string) => ({
  userId,
  user: { userId },
  onBehalfOf: userId,
  number: 0,
  place: 0,
  weight: 100,
  early: 0,
  joinedAt: 0,
  enteredAt: 0,
  now: 0,
  serverTime: 0,
});
const pretending = (userId: string) => ({
  'x-user-id': userId,
  'x-forwarded-user': userId,
  date: 'Thu, 01 Jan 1970 00:00:00 GMT',
  'x-client-time': '0',
});

describe('somebody else’s place', () => {
  it('[M1 G15] a place is the session’s account’s: nobody joins for another, and claims count for nothing', async () => {
    const { saleId, userIds } = await createLineSale({ users: 3, total: 5 });
    const [first = '', bot = '', victim = ''] = userIds;
    const [one = '', two = ''] = await cookiesOf([first, bot]);
    expect(await join(saleId, { cookie: one })).toMatchObject({ status: 201, number: 0 });
    const given = await join(saleId, { cookie: two, body: claims(victim), more: pretending(victim) });
    expect(given).toMatchObject({ status: 201, number: 1, place: null });
    const entries = await entriesOf(saleId);
    expect(entries.map(({ userId, number, weight }) => [userId, number, weight])).toEqual([
      [first, 0, 1],
      [bot, 1, 1],
    ]);
    expect(entries.every(({ joinedAt }) => Date.now() - joinedAt.getTime() < 60_000)).toBe(true);
  });

  it('[M1 N3] a forged session and a page of somebody else’s site join nothing', async () => {
    const { saleId, userIds } = await createLineSale({ users: 1, total: 5 });
    const [cookie = ''] = await cookiesOf(userIds);
    const at = cookie.length - 10;
    const forged = `${cookie.slice(0, at)}${cookie[at] === 'A' ? 'B' : 'A'}${cookie.slice(at + 1)}`;
    expect(await join(saleId, { cookie: forged })).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
    expect(await join(saleId, { cookie, site: 'cross-site' })).toMatchObject({ status: 403, code: 'CSRF' });
    expect(await entriesOf(saleId)).toEqual([]);
  });

  it('[M1] the place and the token of an account admit no other', async () => {
    const { saleId, gate, userIds } = await createLineSale({ users: 2, total: 5 });
    const [owner = '', other = ''] = userIds;
    const [mine = '', theirs = ''] = await cookiesOf(userIds);
    const { number } = await join(saleId, { cookie: mine });
    await start(saleId);
    const { entryToken = '' } = await enter(saleId, { cookie: mine });
    const more = { 'x-entry-token': entryToken, ...pretending(owner) };
    const asked = { cookie: theirs, body: { ...claims(owner), number, entryToken }, more };
    expect(await enter(saleId, asked)).toMatchObject({ status: 404, code: 'NOT_IN_LINE' });
    // Whoever has the token can only buy its owner's one unit, however often and with whatever session.
    const bought = await Promise.all(
      Array.from({ length: 5 }, () => purchase({ saleId, gate, entryToken, body: '' })),
    );
    expect(new Set(bought.map(({ body }) => (JSON.parse(body) as { orderNo: string }).orderNo)).size).toBe(1);
    expect(bought[0]?.status).toBe(202);
    const held = await enter(saleId, { cookie: theirs });
    expect([held.status, other !== owner]).toEqual([404, true]);
  });
});

describe('replays', () => {
  it('[M1 M9] the answer to one challenge gives one place, to the account that it was made for', async () => {
    const { saleId, userIds } = await createLineSale({ users: 3, total: 5, data: { challenge: 'pow' } });
    const [first = ''] = userIds;
    const cookies = await cookiesOf(userIds);
    const offered = await offerChallenge(saleId, { userId: first, address: null }, createTask);
    if (offered.status !== 'offered') throw new Error(offered.status);
    const { challengeId } = offered.challenge;
    const challenge = { challengeId, answer: await solve(offered.challenge, { kind: 'pow' } as never) };
    // A thief is refused and uses nothing up.
    expect(await join(saleId, { cookie: cookies[1] ?? '', body: { challenge } })).toMatchObject({
      status: 403,
      code: 'CHALLENGE_FAILED',
    });
    const all = await Promise.all(
      Array.from({ length: 8 }, () => join(saleId, { cookie: cookies[0] ?? '', body: { challenge } })),
    );
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await join(saleId, { cookie: cookies[2] ?? '', body: { challenge } })).toMatchObject({
      code: 'CHALLENGE_FAILED',
    });
    expect((await entriesOf(saleId)).map(({ userId }) => userId)).toEqual([first]);
  });

  it('[M1] a recorded join sent again gives the same place; with a turn that is over, one at the back', async () => {
    const { saleId, userIds } = await createLineSale({ users: 3, total: 1 });
    const cookies = await cookiesOf(userIds);
    const body = { nonce: 'AAAAAAAAAAAAAAAAAAAAAA' };
    for (const cookie of cookies) await join(saleId, { cookie, body });
    const again = await join(saleId, { cookie: cookies[1] ?? '', body });
    expect(again).toMatchObject({ status: 200, number: 1 });
    await start(saleId);
    const line = await readLine(saleId);
    expect(line?.admitted).toBe(1);
    await passTime(saleId, LONGER_THAN_A_TURN_MS);
    await tendLines();
    forgetLine(saleId);
    const entered = await Promise.all(cookies.map((cookie) => enter(saleId, { cookie })));
    const over = entered.findIndex(({ code }) => code === 'TURN_OVER');
    expect(over).toBeGreaterThanOrEqual(0);
    const back = await join(saleId, { cookie: cookies[over] ?? '', body });
    expect(back).toMatchObject({ status: 201, number: 3, place: 3 });
  });
});

describe('clock games', () => {
  it('[M1] claims to be early: nobody enters before the start, and who joins after it stands behind all who were there', async () => {
    const { saleId, userIds } = await createLineSale({ users: 12, total: 2 });
    const cookies = await cookiesOf(userIds);
    const late = userIds.at(-1) ?? '';
    for (const cookie of cookies.slice(0, -1)) await join(saleId, { cookie });
    const trick = { body: claims(late), more: pretending(late) };
    expect(await enter(saleId, { cookie: cookies[0] ?? '', ...trick })).toMatchObject({
      status: 409,
      code: 'NOT_ADMITTED',
    });
    await start(saleId);
    const joined = await join(saleId, { cookie: cookies.at(-1) ?? '', ...trick });
    expect(joined).toMatchObject({ status: 201, number: 11, place: 11 });
    expect(await enter(saleId, { cookie: cookies.at(-1) ?? '', ...trick })).toMatchObject({
      status: 409,
      code: 'NOT_ADMITTED',
    });
  });

  it('[M1] an ended turn stays ended, and its token with it, whatever time the client says it is', async () => {
    const { saleId, userIds } = await createLineSale({ users: 1, total: 2 });
    const [userId = ''] = userIds;
    const [cookie = ''] = await cookiesOf(userIds);
    await join(saleId, { cookie });
    await start(saleId);
    const { entryToken = '' } = await enter(saleId, { cookie });
    const { exp } = readClaims(entryToken);
    // Two minutes to buy and a quarter for what is on its way.
    expect(exp - Date.now()).toBeLessThanOrEqual(135_000);
    await passTime(saleId, LONGER_THAN_A_TURN_MS);
    const trick = { body: claims(userId), more: { ...pretending(userId), 'x-entry-token': entryToken } };
    expect(await enter(saleId, { cookie, ...trick })).toMatchObject({ status: 409, code: 'TURN_OVER' });
  });
});

/** Reads when a token ends, as anybody can. */
function readClaims(token: string): { exp: number } {
  const text = Buffer.from(token.split('.')[0] ?? '', 'base64url').toString();
  const [exp = ''] = /1[789]\d{11}/.exec(text) ?? [];
  return { exp: Number(exp) };
}
