import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { ORDER_EPOCH_MS } from '@/lib/ids/order-no';
import { bundleProcess } from '@/test/support/bundle-process';
import { createDatabase, type TestDatabase } from '@/test/support/create-database';
import { eventually } from '@/test/support/eventually';
import { applyMigrations } from './apply-migrations';
import { MIGRATIONS_DIR } from './read-migrations';
import { readCatalog } from './testing/catalog';

const APPLY = join(import.meta.dirname, 'testing/apply.ts');
const ORDERS = 12_000;
const ROLE = `shop_${process.pid}`;
/** Enough of a shop of the schema before: orders of the last weeks, one each minute, paid, with history and marks. */
const FILL = `
  INSERT INTO users (id, email, name, password_hash) VALUES ('u', 'u@example.com', 'U', '!');
  INSERT INTO products (id, merchant_id, slug, name, description) VALUES ('p', 'u', 'p', 'P', '');
  INSERT INTO sales (id, product_id, merchant_id, slug, title, price_minor, currency, total_stock, limit_per_user,
                     starts_at, ends_at, entry_opens_at, payment_window_sec, gate)
  VALUES ('s', 'p', 'u', 's', 'S', 100, 'EUR', -1, 1000, now(), now() + interval '1 hour', now(), 900, 'g');
  CREATE FUNCTION order_at(n integer) RETURNS bigint LANGUAGE sql AS $$
    SELECT ((${Date.now() - ORDER_EPOCH_MS} - n * 60000::bigint) << 22) + n % 1024 $$;
  CREATE PROCEDURE fill(n_from integer, n_to integer) LANGUAGE sql AS $$
    INSERT INTO orders (shard, id, sale_id, user_id, quantity, unit_price_minor, amount_minor, currency, status, is_only_one,
                        jti, epoch, accepted_at, pay_by, paid_at, stock_settled_at)
    SELECT order_at(n) & 1023, order_at(n), 's', 'u', 1, 100, 100, 'EUR', 'paid', false, 'jti_' || n, 1, now(), now(), now(), now()
    FROM generate_series(n_from, n_to) AS n;
    INSERT INTO payments (id, shard, order_id, provider, amount_minor, currency, status, settled_at)
    SELECT 'pay_' || id, shard, id, 'sandbox', 100, 'EUR', 'succeeded', now() FROM orders
    ON CONFLICT (shard, order_id) DO NOTHING;
    INSERT INTO order_events (shard, order_id, actor_kind, from_status, to_status, cause)
    SELECT order_at(n) & 1023, order_at(n), 'provider', 'pending_payment', 'paid', 'paid' FROM generate_series(n_from, n_to) AS n;
    INSERT INTO payment_events (provider, webhook_id, payment_id, type, payload, outcome)
    SELECT 'sandbox', 'msg_' || n, 'pay_' || order_at(n), 'payment.succeeded', '{}', 'applied' FROM generate_series(n_from, n_to) AS n;
    INSERT INTO processed_messages (consumer, message_id)
    SELECT consumer, order_at(n)::text FROM generate_series(n_from, n_to) AS n, unnest(ARRAY['create-orders', 'confirm-paid']) AS consumer
    ON CONFLICT DO NOTHING $$;`;
/** Statements that a process of the release before sends meanwhile. */
const OLD_RELEASE = [
  "UPDATE payments SET version = version + 1 WHERE id = 'pay_' || order_at($1)",
  'UPDATE payments SET queries = queries + 1 WHERE id IN (SELECT id FROM payments WHERE order_id = order_at($1) FOR UPDATE SKIP LOCKED)',
  `INSERT INTO order_events (shard, order_id, actor_kind, from_status, to_status, cause)
   SELECT order_at($1) & 1023, order_at($1), 'system', 'paid', 'paid', 'test'`,
  "INSERT INTO processed_messages (consumer, message_id) SELECT 'old', order_at($1)::text ON CONFLICT DO NOTHING",
];

let shop: TestDatabase;
let client: pg.Client;

const ask = async (sql: string, values: unknown[] = []) => (await client.query(sql, values)).rows;
const isThere = async (table: string) =>
  (await ask('SELECT to_regclass($1) IS NOT NULL AS yes', [table]))[0].yes;
const sums = async () =>
  (
    await ask(`SELECT (SELECT count(*)::int FROM payments) AS payments, (SELECT sum(version + queries)::int FROM payments) AS changes,
                    (SELECT count(*)::int FROM order_events) AS events, (SELECT count(*)::int FROM payment_events) AS callbacks,
                    (SELECT count(*)::int FROM processed_messages) AS marks`)
  )[0];
const planOf = async (sql: string) =>
  (await ask(`EXPLAIN ${sql}`)).map((row) => row['QUERY PLAN']).join('\n') as string;
const codeOf = (sql: string) =>
  ask(sql).then(
    () => 'done',
    (error: { code: string }) => error.code,
  );

beforeAll(async () => {
  shop = await createDatabase(inject('databaseUrl'), `partitions_${process.pid}`);
  client = new pg.Client({ connectionString: shop.url });
  await client.connect();
  await applyMigrations(shop.url, undefined, (name) => name < '0033');
  await ask(FILL);
  await ask('CALL fill(1, $1)', [ORDERS]);
  await ask(
    `CREATE ROLE ${ROLE}; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${ROLE};
     GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO ${ROLE}`,
  );
});
afterAll(async () => {
  await ask(`DROP OWNED BY ${ROLE}; DROP ROLE ${ROLE}`);
  await client.end();
  await shop.drop();
});

/** Writes as the release before does until `stop`, as a role that owns nothing. */
function writeOn() {
  let isStopped = false;
  const done = (async () => {
    const old = new pg.Client({ connectionString: shop.url });
    old.on('error', () => {});
    await old.connect();
    await old.query(`SET ROLE ${ROLE}`);
    let count = 0;
    for (; !isStopped; count += 1) {
      for (const sql of OLD_RELEASE) await old.query(sql, [((count * 7_919) % ORDERS) + 1]);
      await sleep(2);
    }
    await old.end();
    return count;
  })();
  return async () => {
    isStopped = true;
    return done;
  };
}

it('[K2 J4] a shop’s rows get into partitions while the release before writes on; a kill in the middle is made up for', async () => {
  const before = await sums();
  const writing = writeOn();
  // A client reads for longer: the migration asks for the lock again and again, and keeps nobody waiting meanwhile.
  await ask('BEGIN');
  await ask('SELECT FROM processed_messages LIMIT 1');
  const child = spawn(process.execPath, [await bundleProcess(APPLY), shop.url, MIGRATIONS_DIR], {
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  const isWaiting = async () =>
    (await ask("SELECT FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'")).length > 0;
  for (const state of [true, false, true])
    await eventually(async () => expect(await isWaiting()).toBe(state), 20);
  await ask('COMMIT');
  await eventually(async () => expect(await isThere('copied_by_gene')).toBe(true), 2);
  await ask('BEGIN');
  await ask('SELECT FROM copied_by_gene FOR UPDATE');
  child.kill('SIGKILL');
  await exited;
  await ask(
    `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE NOT granted AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())`,
  );
  await ask('COMMIT');
  expect(await isThere('payments_by_gene')).toBe(true);
  expect(await applyMigrations(shop.url)).toContain('0035_swap_payments');
  expect(await applyMigrations(shop.url)).toEqual([]);
  const rounds = await writing();
  expect(rounds).toBeGreaterThan(10);
  expect(await sums()).toEqual({
    ...before,
    changes: before.changes + 2 * rounds,
    events: before.events + rounds,
    marks: before.marks + rounds,
  });
  const [{ leaves }] = await ask('SELECT count(DISTINCT tableoid)::int AS leaves FROM payments');
  expect(leaves).toBe(16);
  // The application's own role may make and drop weeks, and owns none.
  await ask(`SET ROLE ${ROLE}`);
  expect(await ask('SELECT add_week_of_marks(week_of_marks(now()) + 63) AS done')).toEqual([{ done: true }]);
  expect(await ask('SELECT * FROM drop_week_of_marks(now())')).toEqual([]);
  await ask('RESET ROLE');
  const here = [...(await readCatalog(shop.url)).entries()].filter(([name]) => !name.includes('copied'));
  expect(new Map(here)).toEqual(await readCatalog(process.env.DATABASE_URL ?? ''));
});

it('[K2 I1] after that a payment, a mark and a change are still there once, and their order is', async () => {
  const [{ id, shard }] = await ask('SELECT order_at(7)::text AS id, (order_at(7) & 1023)::int AS shard');
  const payment = (
    paymentId: string,
    orderId: string,
  ) => `INSERT INTO payments (id, shard, order_id, provider, amount_minor, currency)
    VALUES ('${paymentId}', ${shard}, ${orderId}, 'sandbox', 100, 'EUR')`;
  expect(await codeOf(payment(`pay_${id}`, id))).toBe('23505');
  // Nor under another id, as another order's, or without an order.
  expect(await codeOf(payment('pay_1', id))).toBe('23514');
  expect(await codeOf(payment(`pay_${id}`, String(BigInt(id) + 1024n)))).toBe('23514');
  const none = BigInt(id) + 1024n;
  expect(await codeOf(payment(`pay_${none}`, String(none)))).toBe('23503');
  expect(
    await codeOf(`INSERT INTO processed_messages (consumer, message_id) VALUES ('create-orders', '${id}')`),
  ).toBe('23505');
  expect(await codeOf(`DELETE FROM order_events_p${0}`)).toBe('42501');
  expect(
    await codeOf("INSERT INTO payment_events SELECT * FROM payment_events WHERE webhook_id = 'msg_7'"),
  ).toBe('23505');
});

it('[K2] who names the order reads one partition of payments, history and marks', async () => {
  const [{ id, shard }] = await ask('SELECT order_at(9)::text AS id, (order_at(9) & 1023)::int AS shard');
  const leaves = async (sql: string, table: string) =>
    new Set((await planOf(sql)).match(new RegExp(` on ${table}_(p\\d+|\\d{8}|rest)`, 'g')));
  expect(
    await leaves(`SELECT FROM payments WHERE shard = ${shard} AND order_id = ${id}`, 'payments'),
  ).toHaveProperty('size', 1);
  expect(
    await leaves(
      `SELECT FROM order_events WHERE shard = ${shard} AND order_id = ${id} ORDER BY id DESC`,
      'order_events',
    ),
  ).toHaveProperty('size', 1);
  expect(
    await leaves(
      `SELECT FROM processed_messages WHERE consumer = 'x' AND message_id = '${id}'`,
      'processed_messages',
    ),
  ).toHaveProperty('size', 1);
  expect(await leaves(`SELECT FROM payments WHERE id = 'pay_${id}'`, 'payments')).toHaveProperty('size', 16);
});

it('[K2 E9] the release before deletes old marks by their places, and so no mark of a week', async () => {
  const [{ id }] = await ask('SELECT first_order_no(week_of_marks(now()) + 7) AS id');
  await ask("INSERT INTO processed_messages (consumer, message_id) VALUES ('create-orders', $1)", [id]);
  const [{ at, name }] = await ask(
    'SELECT ctid::text AS at, tableoid::regclass::text AS name FROM processed_messages WHERE message_id = $1',
    [id],
  );
  expect(name).toMatch(/^processed_messages_\d{8}$/);
  const gone = await client.query('DELETE FROM processed_messages WHERE ctid = $1::tid', [at]);
  expect(gone.rowCount).toBe(1);
  expect(await ask('SELECT FROM processed_messages WHERE message_id = $1', [id])).toHaveLength(1);
});
