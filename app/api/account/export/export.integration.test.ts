import { afterAll, beforeEach, expect, it } from 'vitest';
import { SECTIONS } from '@/lib/account/own-data/sections';
import { createOrderFixture } from '@/lib/checkout/testing/order-fixture';
import { payFor } from '@/lib/checkout/testing/pay-for';
import { ownData } from '@/lib/contract/shapes/account';
import { closeDb, db } from '@/lib/db/client';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { callWith, sessionOf } from '@/test/support/call-as';
import { makeAccount } from '@/test/support/make-account';
import { POST } from './route';

beforeEach(async () => {
  await cacheRedis().flushall();
});
afterAll(() => Promise.all([closeRedis(), closeDb()]));

/** Columns that name a user and are in no part of the file, and why. */
const NOT_THEIRS: Record<string, string> = {
  alert_rules: 'what staff did in the admin area is the shop’s',
  alerts: 'what staff did in the admin area is the shop’s',
  approvals: 'what staff did in the admin area is the shop’s',
  campaigns: 'a merchant’s business, which the admin area exports',
  dead_letters: 'what staff did in the admin area is the shop’s',
  media: 'a merchant’s business, which the shop shows to everybody',
  products: 'a merchant’s business, which the admin area shows',
  rehearsals: 'what staff did in the admin area is the shop’s',
  risk_rules: 'what staff did in the admin area is the shop’s',
  sales: 'a merchant’s business, which the admin area exports',
  side_features: 'what staff did in the admin area is the shop’s',
};
const NAMES_USER =
  /^(?:user|actor|merchant|buyer|shopper|owner)_id$|_by$|^email$|_email$|^(?:device|network)$/;

const takeAway = async (userId: string) =>
  callWith(await sessionOf(userId), POST as never, { method: 'POST' });
const rowsOf = async (userId: string) => ownData.parse(await (await takeAway(userId)).json());

it('[N2] every table that names users is in the file, or on the list of those that are not, with a reason', async () => {
  const columns = await db().$queryRaw<{ table: string; column: string }[]>`
    SELECT c.relname::text AS "table", a.attname::text AS "column" FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0`;
  const naming = new Set(columns.filter(({ column }) => NAMES_USER.test(column)).map(({ table }) => table));
  const exported = SECTIONS.flatMap(({ tables }) => tables);
  expect([...naming].filter((table) => !exported.includes(table)).sort()).toEqual(Object.keys(NOT_THEIRS));
  const known = new Set(columns.map(({ table }) => table));
  expect(exported.filter((table) => !known.has(table))).toEqual([]);
});

it('[N2] holds what a person did and nothing of others, no secret, and is an entry in the log', async () => {
  const order = await createOrderFixture({ users: 2 });
  const { userId, orderNo, saleId } = order;
  await payFor(orderNo);
  const other = order.userIds.find((id) => id !== userId) as string;
  await db().$executeRaw`
    INSERT INTO reservations (sale_id, user_id, reserved_at)
    SELECT ${saleId}, id, now() FROM unnest(${[userId, other]}::text[]) AS u (id)`;
  await db().$executeRaw`
    INSERT INTO refusals (sale_id, user_id, place, code, risk, first_at, last_at, times)
    SELECT ${saleId}, id, 'purchase', 'SOLD_OUT', 'none', now(), now(), 1 FROM unnest(${[userId, other]}::text[]) AS u (id)`;
  const answer = await takeAway(userId);
  expect(answer.headers.get('content-disposition')).toContain('my-data.json');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const text = await answer.text();
  const { data, about } = ownData.parse(JSON.parse(text));
  expect(Object.keys(data)).toEqual(Object.keys(about));
  expect(data).toMatchObject({
    account: [{ userId, email: `${userId}@example.com` }],
    orders: [{ orderNo, status: 'paid', payment: { status: 'succeeded' }, history: expect.any(Array) }],
    reservations: [{ sale: 'Lamp sale' }],
    refusals: [{ code: 'SOLD_OUT' }],
    sessions: [{ endedAt: null }],
    securityLog: [{ action: 'user.export', by: 'the account' }],
  });
  expect(text).not.toContain(other);
  expect(text).not.toMatch(/argon2|passwordHash|jti|nonce|token/i);
  const cookies = await db().session.findMany({ where: { userId } });
  for (const { id } of cookies) expect(text).not.toContain(id);
});

it('[N2] comes whole, page by page, in order', async () => {
  const { id } = await makeAccount();
  await db().$executeRaw`
    INSERT INTO notifications (user_id, kind, order_id, message_id)
    SELECT ${id}, 'paid', n, ${id} || n FROM generate_series(1, 1203) AS n`;
  const { data } = await rowsOf(id);
  expect(data.notices?.map(({ orderNo }) => Number(orderNo))).toEqual(
    Array.from({ length: 1_203 }, (_, at) => at + 1),
  );
});

it('[N2 N4] is given a few times a day, and to nobody from another site', async () => {
  const { id } = await makeAccount();
  const session = await sessionOf(id);
  const statuses: number[] = [];
  for (let nth = 0; nth < 4; nth += 1) {
    const answer = await callWith(session, POST as never, { method: 'POST' });
    statuses.push(answer.status);
    await answer.text();
  }
  expect(statuses).toEqual([200, 200, 200, 429]);
  const elsewhere = await callWith(session, POST as never, { method: 'POST', isSameOrigin: false });
  expect(elsewhere.status).toBe(403);
  expect((await callWith(null, POST as never, { method: 'POST' })).status).toBe(401);
});
