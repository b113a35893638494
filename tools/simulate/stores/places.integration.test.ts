import { afterAll, expect, it } from 'vitest';
import { createSaleFixture, forge, type SaleFixture } from '@/lib/checkout/testing/sale-fixture';
import { closeDb, type Db, db } from '@/lib/db/client';
import { sqlState } from '@/lib/db/sql-state';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import { closeRedis } from '@/lib/redis/client';
import { findLatestPlace } from '@/lib/waitlist/find-latest';
import { leaveInDatabase } from '@/lib/waitlist/leave-in-database';
import { listWaitlists } from '@/lib/waitlist/list-waitlists';
import { noteGiven } from '@/lib/waitlist/note-given';
import { readOpen, writePassedOver } from '@/lib/waitlist/passed-over';
import { readLastPlace, readWaiting } from '@/lib/waitlist/read-waiting';
import { writePlaces } from '@/lib/waitlist/write-places';
import { createRandom, type Random } from '@/tools/harness/random';
import { lineStatements } from '../fakes/line';
import { realVerbs, simulatedVerbs } from '../testing/lifecycle-verbs';
import { mirrorSale } from '../testing/mirror-sale';
import { PostgresStore } from './postgres';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

const real = {
  ...realVerbs,
  findLatestPlace,
  leaveInDatabase,
  listWaitlists,
  noteGiven,
  readOpen,
  writePassedOver,
  readLastPlace,
  readWaiting,
  writePlaces,
};
type Verbs = typeof real;
type Work = (verbs: Verbs, tx: Db) => Promise<unknown>;
type State = { sale: SaleFixture; random: Random; pool: AcceptedOrder[]; nth: number };

const HISTORIES = 6;
const STEPS = 120;
const GONE = Object.keys(lineStatements(new PostgresStore(), Date.now)).filter((text) =>
  text.includes('waitlist_entries'),
);

it('[M2] the simulated verbs on places answer and leave everything as those over a real Postgres', async () => {
  const done = new Set<string>();
  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    const random = createRandom(seed);
    const sale = await createSaleFixture({ users: 4, total: 20, limit: random.int(1, 2), waitlist: true });
    const { verbs: lifecycle, store } = simulatedVerbs();
    const verbs = lifecycle as Verbs;
    await mirrorSale(store, sale);
    const pool = Array.from({ length: 12 }, (_, nth) =>
      forge(sale, random.pick(sale.userIds), nth % 3 === 0 ? { jti: `draw_${nth}_${sale.saleId}` } : {}),
    );
    const trail: string[] = [];
    for (let nth = 0; nth < STEPS; nth += 1) {
      const { name, work } = nextStep({ sale, random, pool, nth });
      const [expected, actual] = [await answerOf(real, work), await answerOf(verbs, work)];
      trail.push(`${name}: ${JSON.stringify(expected)}`);
      expect({ seed, trail, answer: actual }).toEqual({ seed, trail, answer: expected });
      if (!['null', '0', '[]', '""'].includes(JSON.stringify(expected))) done.add(name);
      expect({ seed, trail, rows: rowsOf(store) }).toEqual({
        seed,
        trail,
        rows: await readRows(sale.saleId),
      });
    }
  }
  const names = ['write', 'leave', 'note', 'open', 'pass', 'waiting', 'last', 'latest', 'gone', 'list'];
  expect(names.filter((name) => !done.has(name))).toEqual([]);
});

/** Chooses what happens next; both Postgreses get the same. */
function nextStep({ sale, random, pool, nth }: State): { name: string; work: Work } {
  const { saleId, epoch } = sale;
  const order = random.pick(pool);
  const before = random.chance(0.4) ? null : random.int(1, 40);
  const place = (number: number, of: AcceptedOrder) => {
    const { userId, jti, orderNo } = of;
    return { saleId, number, userId, jti, orderNo, epoch: random.chance(0.1) ? epoch + 1 : epoch };
  };
  const given = [place(random.int(1, 3) * 10 + random.int(0, 9), order)];
  if (random.chance(0.3)) given.push(place(nth + 50, random.pick(pool.filter((other) => other !== order))));
  const numbers = [BigInt(random.int(10, 39)), BigInt(nth + 49)];
  const most = random.int(1, 5);
  const orderNos = pool.slice(0, 8).map(({ orderNo }) => orderNo);
  const works: Record<string, Work> = {
    write: async (verbs) => [...(await verbs.writePlaces(given))].sort(),
    leave: (verbs) => verbs.leaveInDatabase(saleId, order.userId),
    note: async (verbs, tx) => (await verbs.noteGiven(tx, saleId, before)).sort(byOrder),
    open: (verbs, tx) => verbs.readOpen(tx, saleId, before, most),
    pass: (verbs, tx) => verbs.writePassedOver(tx, saleId, numbers),
    waiting: (verbs, tx) => verbs.readWaiting(tx, saleId, BigInt(before ?? 0), 10),
    last: (verbs, tx) => verbs.readLastPlace(tx, saleId),
    latest: (verbs) => verbs.findLatestPlace(saleId, order.userId),
    list: async (verbs) => (await verbs.listWaitlists()).filter((each) => each.saleId === saleId),
    gone: (_, tx) => {
      const parts = (GONE[0] ?? '').split('?');
      return tx.$queryRaw<unknown[]>(Object.assign(parts, { raw: parts }), saleId, orderNos).then(sorted);
    },
    order: async (verbs, tx) => (await verbs.insertOrders(tx, saleId, [order], 'sandbox')).count,
    bury: (verbs, tx) =>
      verbs.recordFailedOrder(tx, {
        saleId,
        order,
        reason: 'not_writable',
        error: 'test',
        consumer: 'create-orders',
        attempts: 1,
      }),
  };
  const weights = { write: 10, leave: 1, note: 1, open: 2, pass: 1, waiting: 3, last: 1, latest: 3, list: 1 };
  const name = random.weighted<string>({ ...weights, gone: 2, order: 1, bury: 0.3 });
  return { name, work: works[name] as Work };
}

const byOrder = (a: { orderNo: string }, b: { orderNo: string }) => (a.orderNo < b.orderNo ? -1 : 1);
const sorted = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).sort();

/** Returns what a verb answers, with whole numbers as text, or the SQLSTATE with which it fails. */
async function answerOf(verbs: Verbs, work: Work): Promise<unknown> {
  try {
    const answer = await verbs.db().$transaction((tx: Db) => work(verbs, tx));
    return JSON.parse(
      JSON.stringify(answer ?? null, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    );
  } catch (error) {
    return { failed: sqlState(error) ?? (error as { code?: string }).code };
  }
}

const isSet = (at: Date | number | null): boolean => at !== null;

async function readRows(saleId: string) {
  const rows = await db().waitlistEntry.findMany({ where: { saleId }, orderBy: { number: 'asc' } });
  return rows.map(({ number, userId, jti, orderNo, leftAt, givenAt, passedAt }) => ({
    number: Number(number),
    userId,
    jti,
    orderNo: String(orderNo),
    ends: [leftAt, givenAt, passedAt].map(isSet),
  }));
}

const rowsOf = (store: PostgresStore) =>
  store.places
    .find(null, () => true)
    .sort((a, b) => a.number - b.number)
    .map(({ number, userId, jti, orderNo, leftAt, givenAt, passedAt }) => ({
      number,
      userId,
      jti,
      orderNo,
      ends: [leftAt, givenAt, passedAt].map(isSet),
    }));
