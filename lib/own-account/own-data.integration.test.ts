import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { GET } from '@/app/api/account/export/route';
import { closeDb, db } from '@/lib/db/client';
import { joinSaleLine } from '@/lib/line/join-sale-line';
import { createOrderFixture } from '@/lib/purchase/testing/order-fixture';
import { payFor } from '@/lib/purchase/testing/pay-for';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { leaveInDatabase } from '@/lib/waitlist/records/leave-in-database';
import { join, soldOut } from '@/lib/waitlist/testing/waitlist-fixture';
import { callWith, sessionOf } from '@/test/support/call-as';
import { createLineSale } from '@/test/support/line-sale';
import { makeAccount } from '@/test/support/make-account';
import { makePasskey } from '@/test/support/make-passkey';
import { SECTIONS } from './sections';

beforeEach(() => cacheRedis().flushdb());
afterAll(() => Promise.all([closeRedis(), closeDb()]));

const SHOPS = 'records of the shop’s own work: the admin area shows who of the staff did it';
const BUSINESS = 'a merchant’s business, which the admin area shows and exports';
const SECRET = 'secrets; the account says since when it has a second factor';
/** Tables that name users and are in no part of the file, and why. */
const LEFT_OUT: Record<string, string> = {
  alert_rules: SHOPS,
  alerts: SHOPS,
  approvals: SHOPS,
  campaigns: BUSINESS,
  dead_letters: SHOPS,
  decision_leaves: 'a pseudonym that the whole world may read; receipts of it are given per sale',
  media: BUSINESS,
  products: BUSINESS,
  recovery_codes: SECRET,
  rehearsals: SHOPS,
  risk_rules: SHOPS,
  sales: BUSINESS,
  side_features: SHOPS,
  totp_factors: SECRET,
};
/** Tables whose JSON may hold a user's id, and why they are in no part of the file. */
const IN_JSON: Record<string, string> = {
  decision_batches: 'on the way to the log of decisions, for about a second',
  outgoing_messages: 'on the way to notices, points and mails',
};
const NAMES_USERS =
  /^(?:user|actor|merchant|buyer|shopper|owner)_id$|_by$|email$|^(?:device|network|who|browser|ip|address)$/;

const takeAway = async (userId: string) => callWith(await sessionOf(userId), GET as never);
/** Unpacks the file: its texts, its rows by part, and what it says about itself. */
async function unpack(answer: Response) {
  const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
  const texts = Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)] as const);
  const { 'about.json': head, ...data } = Object.fromEntries(
    texts.map(([name, text]) => [name, JSON.parse(text)]),
  );
  return { head, data: data as Record<string, Record<string, unknown>[]>, text: texts.join('\n') };
}

const readColumns = () =>
  db().$queryRaw<{ table: string; column: string }[]>`
    SELECT c.relname::text AS "table", a.attname::text AS "column" FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0`;

/** Finds the tables with a row that has this text anywhere. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = [...new Set((await readColumns()).map(({ table }) => table))].sort();
  const found: string[] = [];
  for (const table of tables) {
    const rows = await db().$queryRawUnsafe<object[]>(
      `SELECT 1 FROM "${table}" t WHERE strpos(to_jsonb(t)::text, $1) > 0 LIMIT 1`,
      text,
    );
    if (rows.length > 0) found.push(table);
  }
  return found;
}

/** Two shoppers of one sale, of whom the first has bought, waited and been refused. */
async function twoShoppers() {
  const sale = await createOrderFixture({ users: 2 });
  const { userId, orderNo, saleId, userIds } = sale;
  const other = userIds.find((id) => id !== userId) as string;
  await payFor(orderNo);
  const room = await createLineSale({ users: 0 });
  const waits = await soldOut({ total: 0, users: 0 });
  for (const [at, each] of [userId, other].entries()) {
    const member = { userId: each, device: '', level: 0, createdAt: 0, emailVerifiedAt: 1 };
    await joinSaleLine(room.saleId, member, { address: `203.0.113.${at}` });
    await join(waits, each);
    const key = { saleId, userId: each };
    await db().reservation.create({ data: { ...key, reservedAt: new Date() } });
    const refused = { place: 'purchase', code: 'SOLD_OUT', risk: 'none', times: 1 };
    await db().refusal.create({ data: { ...key, ...refused, firstAt: new Date(), lastAt: new Date() } });
    await db().block.create({
      data: { kind: 'user', value: each, reason: 'a scalper', blockedBy: 'user_staff' },
    });
  }
  return { userId, other, orderNo, waits };
}

describe('the file with a person’s own data', () => {
  it('[N2] has every table that names users, but for a list with reasons', async () => {
    const columns = await readColumns();
    const naming = new Set(columns.flatMap(({ table, column }) => (NAMES_USERS.test(column) ? [table] : [])));
    const exported = new Set(SECTIONS.flatMap(({ tables }) => tables));
    expect([...naming].filter((table) => !exported.has(table)).sort()).toEqual(Object.keys(LEFT_OUT));
    const known = new Set(columns.map(({ table }) => table));
    expect([...exported].filter((table) => !known.has(table))).toEqual([]);
  });

  it('[N2] has every table in which a shopper’s id stands, in whatever column', async () => {
    const { userId } = await twoShoppers();
    await takeAway(userId);
    const exported = SECTIONS.flatMap(({ tables }) => tables);
    const reasons = [...Object.keys(LEFT_OUT), ...Object.keys(IN_JSON)];
    const found = await tablesWith(userId);
    expect(found).toEqual(expect.arrayContaining(['orders', 'line_entries', 'waitlist_entries', 'blocks']));
    expect(found.filter((table) => !exported.includes(table) && !reasons.includes(table))).toEqual([]);
  });

  it('[N2 N9] holds what they did and nothing of others, no secret, and is an entry in the log', async () => {
    const { userId, other, orderNo, waits } = await twoShoppers();
    await leaveInDatabase(waits.saleId, userId);
    const { credentialId } = await makePasskey(userId);
    const answer = await takeAway(userId);
    expect(answer.headers.get('content-type')).toBe('application/zip');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="my-data.zip"');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { head, data, text } = await unpack(answer);
    expect(head).toMatchObject({ format: 'seckill-own-data/2', exportedAt: expect.any(Number) });
    expect(Object.keys(data)).toEqual(Object.keys(head.about));
    expect(data).toMatchObject({
      'account.json': [{ userId, email: `${userId}@example.com` }],
      'sessions.json': [{ endedAt: null }],
      'passkeys.json': [{ name: 'My phone', lastUsedAt: null }],
      'securityLog.json': [{ action: 'user.export', by: 'you' }],
      'orders.json': [
        { orderNo, status: 'paid', payment: { status: 'succeeded' }, history: expect.any(Array) },
      ],
      'refusedAttempts.json': [{ sale: 'Lamp sale', code: 'SOLD_OUT' }],
      'reservations.json': [{ sale: 'Lamp sale' }],
      'waitingRoomsAndDraws.json': [{ sale: 'Lamp sale', leftAt: null }],
      'waitlists.json': [{ leftAt: expect.any(String) }],
      'blocks.json': [{ liftedAt: null }],
    });
    expect(text).not.toContain(other);
    expect(text).not.toContain(credentialId);
    expect(text).not.toMatch(/argon2|password_?hash|jti|nonce|token|user_staff|scalper/i);
    for (const { id } of await db().session.findMany({ where: { userId } })) expect(text).not.toContain(id);
    expect(await db().auditEntry.count({ where: { actorId: userId, action: 'user.export' } })).toBe(1);
  });

  it('[N2] comes whole and in order, page by page', async () => {
    const { id } = await makeAccount();
    const { saleId } = await createOrderFixture();
    await db().$executeRaw`
      INSERT INTO notifications (user_id, kind, order_id, message_id)
      SELECT ${id}, 'paid', n, ${id} || n FROM generate_series(1, 1500) AS n`;
    await db().$executeRaw`
      INSERT INTO refusals (sale_id, user_id, place, code, risk, first_at, last_at, times)
      SELECT ${saleId}, ${id}, 'entry', 'CODE_' || n, 'none', now(), now(), 1 FROM generate_series(1, 1200) AS n`;
    const { data } = await unpack(await takeAway(id));
    const upTo = (most: number) => Array.from({ length: most }, (_, at) => at + 1);
    expect(data['notices.json']?.map(({ orderNo }) => Number(orderNo))).toEqual(upTo(1_500));
    const codes = data['refusedAttempts.json']?.map(({ code }) => Number(String(code).slice(5))) ?? [];
    expect(codes.sort((one, two) => one - two)).toEqual(upTo(1_200));
  });

  it('[N2 N4] is given three times a day, signed in, and to no other site', async () => {
    const { id } = await makeAccount();
    const session = await sessionOf(id);
    expect((await callWith(session, GET as never, { isSameOrigin: false })).status).toBe(403);
    expect((await callWith(null, GET as never)).status).toBe(401);
    const statuses: number[] = [];
    for (let nth = 0; nth < 4; nth += 1) {
      const answer = await callWith(session, GET as never);
      statuses.push(answer.status);
      if (answer.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(80_000);
      await answer.text();
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect(await db().auditEntry.count({ where: { actorId: id, action: 'user.export' } })).toBe(3);
  });
});
