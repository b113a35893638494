import { afterAll, expect, it } from 'vitest';
import { forge, type SaleFixture } from '@/lib/checkout/testing/sale-fixture';
import { closeDb, type Db, db } from '@/lib/db/client';
import { shardOf } from '@/lib/ids/shard-of';
import { closeRedis } from '@/lib/redis/client';
import { createLineSale } from '@/test/support/line-sale';
import { createRandom, type Random } from '@/tools/harness/random';
import { lineStatements } from '../fakes/line';
import { type LifecycleVerbs, realVerbs, simulatedVerbs } from '../testing/lifecycle-verbs';
import { mirrorSale } from '../testing/mirror-sale';
import { PostgresStore } from './postgres';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

const HISTORIES = 6;
const STEPS = 120;
/** Those on the waitlist are compared with its other statements. */
const TEXTS = Object.keys(lineStatements(new PostgresStore(), Date.now)).filter(
  (text) => !text.includes('waitlist_entries'),
);

type State = { sale: SaleFixture; random: Random; next: number; version: number; isDrawn: boolean };
/** The values of each statement, which is known by some of its words. */
const VALUES: Record<string, (state: State) => unknown[]> = {
  'WITH clock AS': ({ sale, random }) => [
    [random.pick(sale.userIds), random.pick(sale.userIds)],
    sale.saleId,
  ],
  'UPDATE line_entries SET left_at = now() WHERE sale_id = ? AND number = ANY': (state) => [
    state.sale.saleId,
    numbers(state),
    state.sale.userIds.slice(0, 3),
  ],
  'INSERT INTO line_entries': ({ sale, random, next }) => [
    1,
    sale.saleId,
    sale.saleId,
    next,
    new Date(),
    [random.chance(0.05) ? 'user_nobody' : random.pick(sale.userIds)],
    [random.int(16, 255).toString(16).repeat(16)],
    [random.int(1, 3)],
    [null],
    [null],
  ],
  'JOIN line_entries e USING': ({ sale }) => [sale.userIds.map(() => sale.saleId), sale.userIds],
  'SET entered_at = coalesce': (state) => [numbers(state).map(() => state.sale.saleId), numbers(state)],
  'entered_at <= now()': ({ sale, random }) => [
    sale.saleId,
    random.pick(sale.userIds),
    random.pick([0, 120]),
  ],
  'SELECT entered_at, left_at': ({ sale, random }) => [sale.saleId, random.pick(sale.userIds)],
  'AS early FROM': ({ sale }) => [sale.saleId],
  'AS "isOver" FROM sales': ({ sale }) => [sale.saleId],
  'SELECT number, nonce': ({ sale, random, next }) => [sale.saleId, random.int(0, 3), next, random.int(1, 5)],
  'AS has_left FROM': ({ sale, random, next }) => [sale.saleId, random.int(0, 3), next],
  'left_at IS NULL AND entered_at IS NULL': (state) => [state.sale.saleId, numbers(state)],
  'SELECT user_id, entered_at': ({ sale, random }) => [sale.saleId, random.pick([0, 60])],
  'AS e (shard, user_id, since)': ({ sale, random }) => [
    sale.userIds.map(shardOf),
    sale.userIds,
    sale.userIds.map(() => new Date(Date.now() - random.pick([-60_000, 60_000]))),
    sale.saleId,
  ],
  'SELECT number FROM line_entries': (state) => [state.sale.saleId, numbers(state)],
  'SELECT * FROM lines': ({ sale, random }) => [random.pick([sale.saleId, 'sale_nowhere'])],
  'AS read_at FROM lines WHERE': ({ sale }) => [[sale.saleId, 'sale_nowhere']],
  'SELECT seed, pseudonym_key': ({ sale }) => [sale.saleId],
  'UPDATE lines SET early': ({ sale, random, next }) => [
    random.int(0, next + 1),
    Buffer.alloc(32, 1),
    Buffer.alloc(32, 2),
    null,
    null,
    sale.saleId,
  ],
  'UPDATE lines l SET closed': ({ random }) => [random.pick([0, 30]), 10_000],
  'secs => ?) WHERE sale_id = ? AND enlisted_at': ({ sale }) => [5, sale.saleId],
  'SET drawing_until = NULL WHERE': ({ sale }) => [sale.saleId],
  'SET enlisted_at = now()': ({ sale }) => [sale.saleId],
  'u.banned_at IS NOT NULL': ({ sale, random }) => [sale.saleId, random.int(0, 2), random.int(1, 4)],
  'FOR NO KEY UPDATE': ({ sale }) => [sale.saleId],
  'SET place = d.place': ({ sale, next, isDrawn }) => {
    const places = isDrawn ? [] : Array.from({ length: next }, (_, number) => next - 1 - number);
    return [
      places,
      places.map(() => 2),
      places.map((at) => (at % 3 === 0 ? 'banned' : null)),
      sale.saleId,
      0,
    ];
  },
  'SET early = next_number': ({ sale }) => [
    Buffer.alloc(32, 3),
    null,
    Buffer.alloc(32, 4),
    null,
    sale.saleId,
  ],
  'SELECT place, number, user_id AS': ({ sale, random }) => [
    sale.saleId,
    random.int(-1, 2),
    random.int(1, 4),
  ],
  'SET order_no = coalesce': ({ sale, random, next }) => [
    [random.int(0, next)],
    [String(random.int(1, 1_000))],
    sale.saleId,
  ],
  'max(o.id)::text': ({ sale }) => [
    sale.userIds.map(shardOf),
    sale.userIds.map(() => sale.saleId),
    sale.userIds,
  ],
  // Far from what was written a moment ago: the two clocks differ by what a slow machine takes.
  'SELECT l.*': ({ random }) => [random.pick([-60, 3_600]), 10_000],
  'UPDATE lines SET admitted': ({ sale, random, version }) => [
    random.int(0, 4),
    random.int(0, 2),
    JSON.stringify([[1, random.int(0, 4)]]),
    random.int(1, 60),
    random.next(),
    new Date(Date.now() - random.pick([0, 60_000])),
    sale.saleId,
    random.chance(0.8) ? version : version + 1,
  ],
};
const numbers = ({ random, next }: State) => [random.int(0, next), next + 1 + random.int(0, 2)];

it('[M1 M4] the simulated statements on lines answer and leave everything as those in a real Postgres', async () => {
  const done = new Set<string>();
  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    const random = createRandom(seed);
    const startsInMs = seed % 2 === 0 ? 3_600_000 : -60_000;
    const admission = seed % 3 === 0 ? 'draw' : 'waiting_room';
    const sale = await createLineSale({ users: 4, total: 5, data: { admission, waitlist: true } });
    await db().sale.update({
      where: { id: sale.saleId },
      data: { startsAt: new Date(Date.now() + startsInMs) },
    });
    const { verbs, store } = simulatedVerbs();
    await mirrorSale(store, sale);
    const [line] = await db().$queryRaw<never[]>`SELECT * FROM lines WHERE sale_id = ${sale.saleId}`;
    store.lines.cell(sale.saleId).committed = line ?? null;
    const trail: string[] = [];
    for (let nth = 0; nth < STEPS; nth += 1) {
      const { next_number: next = 0, version = 1 } = store.lines.get(null, sale.saleId) ?? {};
      const words = random.chance(0.25) ? 'INSERT INTO line_entries' : random.pick(Object.keys(VALUES));
      const isDrawn = store.lineEntries.find(null, ({ place }) => place !== null).length > 0;
      const state = { sale, random, next, version, isDrawn };
      const values = (VALUES[words] as (given: State) => unknown[])(state);
      const text = TEXTS.find((each) => each.includes(words)) ?? '';
      const [expected, actual] = [
        await answerOf(realVerbs, text, values),
        await answerOf(verbs, text, values),
      ];
      trail.push(`${text.slice(0, 90)} ${JSON.stringify(values)}`);
      const ofSale = (answer: unknown) => plain(answer, sale.saleId);
      expect({ seed, trail, answer: ofSale(actual) }).toEqual({ seed, trail, answer: ofSale(expected) });
      if (JSON.stringify(ofSale(expected)).length > 4) done.add(text);
      const [theirs, ours] = [await readRows(realVerbs.db(), sale.saleId), rowsOf(store, sale.saleId)];
      expect({ seed, trail, rows: plain(ours) }).toEqual({ seed, trail, rows: plain(theirs) });
      if (nth % 20 === 10) {
        const order = forge(sale, random.pick(sale.userIds));
        const insert = (each: LifecycleVerbs) =>
          each.db().$transaction((tx) => each.insertOrders(tx, sale.saleId, [order], 'sandbox'));
        expect((await insert(verbs)).count).toBe((await insert(realVerbs)).count);
      }
    }
  }
  // A statement that was never compared, or never did anything, would prove nothing.
  expect(TEXTS.filter((text) => !done.has(text) && !text.startsWith('UPDATE'))).toEqual([]);
});

/** Returns the rows that a statement answers, how many it wrote, or the SQLSTATE with which it fails. */
async function answerOf(verbs: LifecycleVerbs, text: string, values: unknown[]): Promise<unknown> {
  const parts = text.split('?');
  const strings = Object.assign(parts, { raw: parts });
  const isExecuted = text.startsWith('UPDATE') && !text.includes('RETURNING');
  try {
    return await verbs.db().$transaction((tx: Db) => {
      return isExecuted ? tx.$executeRaw(strings, ...values) : tx.$queryRaw(strings, ...values);
    });
  } catch (error) {
    const { code, meta } = error as { code?: string; meta?: { code?: string; driverAdapterError?: unknown } };
    const sqlState = /"originalCode":"(\w{5})"/.exec(JSON.stringify(meta ?? {}))?.[1];
    return { failed: sqlState ?? meta?.code ?? code };
  }
}

const readRows = async (client: Db, saleId: string) => ({
  lines: await client.$queryRaw`SELECT * FROM lines WHERE sale_id = ${saleId}`,
  entries: await client.$queryRaw`SELECT * FROM line_entries WHERE sale_id = ${saleId} ORDER BY number`,
});

const rowsOf = (store: PostgresStore, saleId: string) => ({
  lines: store.lines.find(null, (row) => row.sale_id === saleId),
  entries: store.lineEntries.find(null, (row) => row.sale_id === saleId).sort((a, b) => a.number - b.number),
});

/** Columns that no simulated statement reads. */
const UNREAD = ['updated_at', 'settings_version', 'limit_per_user', 'starts_at'];

/** Leaves out when something was, and other sales; bytes as hex. Rows come in any order unless their text orders them. */
function plain(value: unknown, ofSale?: string): unknown {
  if (value instanceof Date) return 'some time';
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) {
    const rows = value.filter((row) => !ofSale || row?.sale_id === undefined || row.sale_id === ofSale);
    return rows.map((row) => plain(row)).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  if (typeof value !== 'object' || value === null) return value ?? null;
  const kept = Object.entries(value).filter(([name]) => !UNREAD.includes(name));
  return Object.fromEntries(
    kept.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => [name, plain(each)]),
  );
}
