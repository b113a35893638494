import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { isOutage } from '@/lib/errors/is-outage';
import { joinSaleLine } from '@/lib/line/join-sale-line';
import { closeRedis } from '@/lib/redis/client';
import { makeSale, makeUser } from '@/test/support/make-sale';
import { runDraws } from './run-draws';
import { readEntries } from './testing/draw-fixture';

afterAll(async () => {
  await Promise.all([closeRedis(), closeDb()]);
});

const nobody = async () => undefined;
const joiner = async () => ({ ...(await makeUser()), device: '' });
const alone = { address: null };

/** Joins as a page does: asks again where a busy machine gave no answer in time. @returns how that ended */
async function insist(...asked: Parameters<typeof joinSaleLine>): Promise<string> {
  for (;;) {
    try {
      return (await joinSaleLine(...asked)).status;
    } catch (error) {
      if (!isOutage(error)) throw error;
    }
  }
}
/** The second: an answer was lost, or another of the same person came first; the place is told now. */
const isIn = (status: string) => status === 'joined' || status === 'already_joined';

/** A draw that closes in so many ms. */
async function newDraw(closesIn: number, rules: Record<string, unknown> = {}) {
  await db().$executeRaw`UPDATE sales SET paused = true WHERE admission = 'draw'`;
  const now = Date.now();
  const { sale } = await makeSale({
    admission: 'draw',
    waitlist: true,
    entryOpensAt: now - 60_000,
    startsAt: now + closesIn,
    ...rules,
  });
  return sale;
}

it('[M4] in the very second of the close whoever is told of a chance has one, and nobody gets one afterwards', async () => {
  const users = await Promise.all(Array.from({ length: 60 }, joiner));
  // A machine that stood still in that second let everybody come too late.
  for (let tries = 1; (await joinAroundClose(users)) === 0; tries += 1) expect(tries).toBeLessThan(5);
});

/** @returns how many were told that they have a chance */
async function joinAroundClose(users: Awaited<ReturnType<typeof joiner>>[]): Promise<number> {
  const { saleId, startsAt } = await newDraw(8_000);
  const told: string[] = [];
  const refused = new Set<string>();
  const joining = users.map(async (user, at) => {
    await sleep(Math.max(0, startsAt - 600 - Date.now()) + 20 * at);
    const status = await insist(saleId, user, alone);
    if (isIn(status)) told.push(user.userId);
    else refused.add(status);
  });
  const drawing = (async () => {
    while ((await runDraws(nobody)) === 0) await sleep(20);
  })();
  await Promise.all([...joining, drawing]);
  const { early, nextNumber } = await db().line.findUniqueOrThrow({ where: { saleId } });
  const entries = await readEntries(saleId);
  expect(new Set(entries.map(({ userId }) => userId))).toEqual(new Set(told));
  expect([early, nextNumber]).toEqual([told.length, told.length]);
  expect(entries.map(({ place }) => place).sort((one = 0, other = 0) => Number(one) - Number(other))).toEqual(
    told.map((_, place) => place),
  );
  expect([...refused]).toEqual(['closed']);
  return told.length;
}

it('[M4] one account has one chance, however often it asks at once', async () => {
  const { saleId } = await newDraw(60_000);
  const user = await joiner();
  const results = await Promise.all(Array.from({ length: 20 }, () => insist(saleId, user, alone)));
  expect(results.filter(isIn)).toHaveLength(20);
  expect(await readEntries(saleId)).toHaveLength(1);
});

it('[G15] by rule a device has one chance and a network so many, whatever the accounts', async () => {
  const { saleId } = await newDraw(60_000, { onePlacePerDevice: true, placesPerNetwork: 3 });
  const accounts = await Promise.all(Array.from({ length: 12 }, joiner));
  const results = await Promise.all(
    accounts.map((user, at) =>
      insist(saleId, { ...user, device: `device-${at % 4}` }, { address: '203.0.113.9' }),
    ),
  );
  expect(results.filter(isIn)).toHaveLength(3);
  expect(results.filter((status) => status === 'taken')).toHaveLength(9);
  const devices = (await readEntries(saleId)).map(({ device }) => device);
  expect(new Set(devices).size).toBe(3);
});
