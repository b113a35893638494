import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { makeSale, makeUser } from '@/test/support/make-sale';
import { joinSaleLine } from '../line/join-sale-line';
import { runDraws } from './run-draws';
import { readEntries } from './testing/draw-fixture';

afterAll(async () => {
  await Promise.all([closeRedis(), closeDb()]);
});

const nobody = async () => undefined;
const joiner = async () => ({ ...(await makeUser()), device: '' });
const alone = { address: null };

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
  const { saleId, startsAt } = await newDraw(8_000);
  const told: string[] = [];
  const refused = new Set<string>();
  const joining = users.map(async (user, at) => {
    await sleep(Math.max(0, startsAt - 600 - Date.now()) + 20 * at);
    const result = await joinSaleLine(saleId, user, alone);
    if (result.status === 'joined') told.push(user.userId);
    else refused.add(result.status);
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
  expect(told.length).toBeGreaterThan(0);
  expect([...refused]).toEqual(['closed']);
});

it('[M4] one account has one chance, however often it asks at once', async () => {
  const { saleId } = await newDraw(60_000);
  const user = await joiner();
  const results = await Promise.all(Array.from({ length: 20 }, () => joinSaleLine(saleId, user, alone)));
  expect(results.filter(({ status }) => status === 'joined').length).toBeGreaterThan(0);
  expect(await readEntries(saleId)).toHaveLength(1);
});

it('[G15] by rule a device has one chance and a network so many, whatever the accounts', async () => {
  const { saleId } = await newDraw(60_000, { onePlacePerDevice: true, placesPerNetwork: 3 });
  const accounts = await Promise.all(Array.from({ length: 12 }, joiner));
  const results = await Promise.all(
    accounts.map((user, at) =>
      joinSaleLine(saleId, { ...user, device: `device-${at % 4}` }, { address: '203.0.113.9' }),
    ),
  );
  expect(results.filter(({ status }) => status === 'joined')).toHaveLength(3);
  expect(results.filter(({ status }) => status === 'taken')).toHaveLength(9);
  const devices = (await readEntries(saleId)).map(({ device }) => device);
  expect(new Set(devices).size).toBe(3);
});
