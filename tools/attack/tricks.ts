import { db } from '@/lib/db/client';
import type { Reply } from '@/tools/harness/ask';
import { type Client, createClient, enter, nameOf, post, purchase, readGate } from '@/tools/harness/client';
import { join, joinPath } from './join-line';
import type { Target } from './report';
import type { AttackSale } from './sale';

/** A way around the rules of a line or a draw: how often it was tried, and how often it worked. */
export type Trick = { what: string; tried: number; worked: number };

/** Claims that a client is somewhere else in time. None of them is asked for. */
const CLOCKS = ['Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 31 Dec 2099 23:59:59 GMT'] as const;
const clockHeaders = (date: string) => ({ date, 'x-client-time': date, 'if-unmodified-since': date });
const CLAIMS = { number: 0, place: 0, weight: 100, joinedAt: 0, early: true, now: 0, serverTime: 0 };

const isGiven = (reply: Reply): boolean => /^20[01]/.test(nameOf(reply));
const isEntered = (reply: Reply): boolean =>
  reply.kind === 'answered' && typeof reply.body.entryToken === 'string';
const count = async (tries: readonly Promise<boolean>[]) => (await Promise.all(tries)).filter(Boolean).length;

/**
 * Tries, before the start, to get places that are nobody's or somebody else's.
 * @param bots with accounts and sessions. @param absent accounts that never ask for a place themselves
 */
export async function playBeforeStart(
  { saleId, startsAt }: AttackSale,
  bots: readonly Client[],
  absent: readonly string[],
): Promise<Trick[]> {
  const forged = bots.map(async ({ session, ...bot }) =>
    isGiven(await join({ ...bot, session: flip(session) }, saleId)),
  );
  await Promise.all(
    bots.map((bot, at) => {
      const userId = absent[at % absent.length];
      return post(bot, `${joinPath(saleId)}?userId=${userId}`, {
        body: { userId, user: { userId }, onBehalfOf: userId, ...CLAIMS },
        headers: { 'x-user-id': String(userId), ...clockHeaders(CLOCKS[at % 2] ?? '') },
      });
    }),
  );
  const early = bots.map(async (bot, at) => {
    const headers = clockHeaders(CLOCKS[at % 2] ?? '');
    const reply = await post(bot, `/api/sales/${saleId}/entry`, { body: { ...CLAIMS }, headers });
    // On a slow machine the sale may have started meanwhile: then it was no trick.
    return isEntered(reply) && reply.answeredAt < startsAt;
  });
  const [forgedGiven, earlyGiven] = [await count(forged), await count(early)];
  const entries = await db().lineEntry.findMany({ where: { saleId } });
  const standing = entries.filter(({ leftAt }) => leftAt === null);
  const numbers = new Set(entries.map(({ number }) => number));
  return [
    { what: 'joining with a forged session', tried: bots.length, worked: forgedGiven },
    {
      what: 'joining for somebody else',
      tried: bots.length,
      worked: entries.filter(({ userId }) => absent.includes(userId)).length,
    },
    {
      what: 'claims of a place, a weight or a time',
      tried: bots.length,
      worked: entries.filter(({ weight }) => weight !== 1).length + (entries.length - numbers.size),
    },
    { what: 'entering early by another clock', tried: bots.length, worked: earlyGiven },
    {
      what: 'a second place by joining at once, from other devices, or again',
      tried: entries.length,
      worked: standing.length - new Set(standing.map(({ userId }) => userId)).size,
    },
  ];
}

/** Joins with one account from several devices, several times each, all at once. */
export async function joinFromManyDevices(
  bot: Client,
  saleId: string,
  addresses: readonly string[],
): Promise<void> {
  const devices = await Promise.all(
    addresses.map((address) =>
      createClient({ userId: bot.userId, origin: bot.origin, address, jar: { device: '' } }),
    ),
  );
  // The first round brings the cookies.
  for (let round = 0; round < 2; round += 1)
    await Promise.all(devices.flatMap((device) => [join(device, saleId), join(device, saleId)]));
}

/**
 * Tries, while the line moves, to use places that belong to others or were used.
 * @param holder somebody who has entered, with the token, and has not bought yet. @param bots accounts without a place
 */
export async function playInLine(
  saleId: string,
  holder: { client: Client; entryToken: string },
  bots: readonly Client[],
): Promise<Trick[]> {
  const { entryToken } = holder;
  const gate = (await readGate(holder.client, saleId)) ?? 'opensesame';
  const withTheirPlace = bots.map(async (bot) =>
    isEntered(await post(bot, `/api/sales/${saleId}/entry`, { entryToken })),
  );
  const late = bots.map(async (bot, at) =>
    isEntered(
      await post(bot, `/api/sales/${saleId}/entry`, {
        body: CLAIMS,
        headers: clockHeaders(CLOCKS[at % 2] ?? ''),
      }),
    ),
  );
  const broken = bots.map(async (bot) =>
    nameOf(await purchase(bot, saleId, { gate, entryToken: flip(entryToken) })).startsWith('202'),
  );
  const [used, claimed, altered] = [await count(withTheirPlace), await count(late), await count(broken)];
  // The token in other people's hands, many times at once: it buys its owner's one unit.
  await Promise.all([...bots, ...bots].map((bot) => purchase(bot, saleId, { gate, entryToken })));
  const again = await enter(holder.client, saleId);
  if (isEntered(again) && again.kind === 'answered')
    await purchase(holder.client, saleId, { gate, entryToken: String(again.body.entryToken) });
  return [
    { what: 'entering with the place of another account', tried: bots.length, worked: used },
    { what: 'entering without a place by another clock', tried: bots.length, worked: claimed },
    { what: 'buying with an altered token', tried: bots.length, worked: altered },
    {
      what: 'buying for oneself with a token of another account',
      tried: bots.length * 2,
      worked: await ordersOf(saleId, bots),
    },
  ];
}

const ordersOf = (saleId: string, bots: readonly Client[]): Promise<number> =>
  db().order.count({ where: { saleId, userId: { in: bots.map(({ userId }) => userId) } } });

/** Sums tricks up as a target: none worked. */
export function judgeTricks(name: string, tricks: readonly Trick[]): Target {
  const tried = tricks.reduce((sum, trick) => sum + trick.tried, 0);
  const worked = tricks.filter((trick) => trick.worked > 0);
  return {
    what: `${name}: tricks that worked, of ${tried} (${tricks.map(({ what }) => what).join('; ')})`,
    target: '0',
    measured: worked.map(({ what, worked: times }) => `${times} × ${what}`).join(', ') || '0',
    isMet: worked.length === 0,
  };
}

/** Changes one character in the middle of a signed text. */
function flip(text: string): string {
  const at = text.length - 20;
  return `${text.slice(0, at)}${text.charAt(at) === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
}
