import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { createDatabase, type TestDatabase } from '@/test/support/create-database';
import { type StockRedis, startStockRedis } from '@/test/support/start-stock-redis';
import { checkBackup } from './check-backup';
import { findUnknown } from './find-unknown';
import { loadBackup } from './load-backup';
import { writeBackup } from './write-backup';

const PASSPHRASE = 'correct horse battery staple';
/** A file of an uploaded picture, as a path in the data directory. */
const PICTURE = `media/${'a'.repeat(64)}/640.webp`;
const [TOTAL, USERS] = [40, 30];
const [BEFORE, DURING, AFTER] = [8, 8, 4];

const dir = mkdtempSync(join(tmpdir(), 'seckill-backup-'));
const file = join(dir, 'shop.backup');
const dataDir = join(dir, 'data');
const oldRedis = process.env.REDIS_URL ?? '';
const databases: TestDatabase[] = [];
let emptyRedis: StockRedis;

type World = Awaited<ReturnType<typeof openWorld>>;
type Shop = {
  sale: Parameters<World['shop']['buy']>[0];
  bought: Awaited<ReturnType<World['shop']['buy']>>[];
};

/** Loads the product anew, on other servers than before. */
async function openWorld(databaseUrl: string, redisUrl: string) {
  Object.assign(process.env, { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl });
  vi.resetModules();
  (globalThis as { seckillStates?: unknown }).seckillStates = undefined;
  const { releaseOrderNos } = await import('@/lib/order/records/issue-order-no');
  const { closeRedis } = await import('@/lib/redis/client');
  const { closeDb, db } = await import('@/lib/db/client');
  return {
    shop: await import('@/lib/verify/testing/test-sale'),
    ...(await import('@/lib/verify/verify-sale')),
    ...(await import('@/lib/verify/verify-statements')),
    ...(await import('@/lib/reconcile/reconcile-sale')),
    ...(await import('@/lib/audit/record-action')),
    ...(await import('@/lib/audit/verify-chain')),
    ...(await import('@/lib/settlement/confirm-paid')),
    ...(await import('@/lib/payment/ask-provider')),
    ...(await import('@/lib/payment/read-statements')),
    ...(await import('@/lib/purchase/purchase')),
    ...(await import('@/lib/loading/guard-stock')),
    ...(await import('@/lib/purchase/testing/drain-outbox')),
    ...(await import('@/lib/entry/sign-entry-token')),
    db,
    async close() {
      await releaseOrderNos().catch(() => {});
      await Promise.all([closeRedis(), closeDb()]);
    },
  };
}

const tokenOf = ({ signEntryToken }: World, saleId: string, userId: string, jti: string) =>
  signEntryToken({ userId, saleId, level: 0, jti, expiresAt: Date.now() + 600_000, device: '' });

/** Asks for a unit as a browser does. */
async function ask(world: World, { sale }: Shop, userId: string, jti: string) {
  const entryToken = tokenOf(world, sale.saleId, userId, jti);
  const reply = await world.purchase({ saleId: sale.saleId, gate: sale.gate, entryToken, body: '' });
  return { ...JSON.parse(reply.body), status: reply.status };
}

async function restore(name: string): Promise<string> {
  const database = await createDatabase(inject('databaseUrl'), `restored_${name}_${process.pid}`);
  databases.push(database);
  const { manifest } = await checkBackup(file, PASSPHRASE);
  expect(
    await loadBackup({ file, passphrase: PASSPHRASE, manifest, databaseUrl: database.url, dataDir }),
  ).toEqual([]);
  return database.url;
}

const brokenIn = async (world: World, { sale }: Shop) =>
  (await world.verifySale(sale.saleId))?.invariants.flatMap(({ ok, detail }) => (ok ? [] : [detail]));

const options = { dataDir, out: file, passphrase: PASSPHRASE, withMail: true, productVersion: '0.1.0' };
let shop: Shop;

beforeAll(async () => {
  emptyRedis = await startStockRedis();
  mkdirSync(join(dataDir, 'mail'), { recursive: true });
  writeFileSync(join(dataDir, 'secrets.json'), '{"ENTRY_SECRET":"e"}');
  writeFileSync(join(dataDir, 'mail', '1.eml'), 'Hello');
  mkdirSync(dirname(join(dataDir, PICTURE)), { recursive: true });
  writeFileSync(join(dataDir, PICTURE), 'a picture');

  const databaseUrl = process.env.DATABASE_URL ?? '';
  const world = await openWorld(databaseUrl, oldRedis);
  const { buy, write, pay, cancel, createTestSale } = world.shop;
  const sale = await createTestSale({ total: TOTAL, users: USERS });
  const split = await createTestSale({ total: TOTAL, users: 0 });
  await world.db().$executeRaw`
    UPDATE sales SET slices = 2, slice_epochs = ARRAY[3, 0], status = 'closed', entry_opens_at = now() - interval '32 days',
      starts_at = now() - interval '31 days', ends_at = now() - interval '30 days' WHERE id = ${split.saleId}`;
  const bought: Shop['bought'] = [];
  const next = async () => {
    const purchase = await buy(sale, sale.userIds[bought.length] ?? '');
    bought.push(purchase);
    return purchase;
  };
  // As the embedded executor does, which keeps its runs in the same database.
  await world.db().$executeRaw`
    INSERT INTO executor.functions (id, app_id, url, max_attempts, config) VALUES ('f', 'a', 'u', 5, '{}')`;
  for (let count = 0; count < BEFORE; count += 1) await next();
  await write(sale, bought);
  for (const purchase of bought.slice(0, 4)) await pay(sale, purchase);
  for (const purchase of bought.slice(7)) await cancel(sale, purchase);
  const subject = { kind: 'sale', id: sale.saleId };
  const action = { action: 'sale.pause', subject, before: { paused: false }, after: { paused: true } };
  await world
    .db()
    .$transaction((tx) => world.recordAction(tx, { userId: 'user_admin', role: 'admin' }, action));

  const selling = (async () => {
    for (let count = 0; count < DURING; count += 1) await write(sale, [await next()]);
  })();
  const { manifest } = await writeBackup({ ...options, databaseUrl, mayReplace: false });
  await selling;
  rmSync(join(dataDir, 'media'), { recursive: true });
  expect(manifest.tables.find(({ table }) => table === 'orders')?.rows).toBeGreaterThanOrEqual(BEFORE);
  for (let count = 0; count < AFTER; count += 1) await write(sale, [await next()]);
  const paidLater = bought.at(-1);
  if (paidLater) await pay(sale, paidLater);
  shop = { sale, bought };
  expect(await brokenIn(world, shop)).toEqual([]);
  await world.close();
});

afterAll(async () => {
  await Promise.all(databases.map((database) => database.drop()));
  await emptyRedis.stop();
  rmSync(dir, { recursive: true, force: true });
});

it('[J7 O1] restored beside an empty Redis the shop sells on: every promise holds, limits, old tokens and pictures too', async () => {
  const world = await openWorld(await restore('empty'), emptyRedis.url);
  const { sale, bought } = shop;
  expect(await world.guardStock()).toEqual([sale.saleId]);
  expect(await brokenIn(world, shop)).toEqual([]);
  expect(await world.verifyChain()).toMatchObject({ ok: true });
  expect(await world.verifyStatements()).toMatchObject({ ok: true });
  expect(readFileSync(join(dataDir, PICTURE), 'utf8')).toBe('a picture');

  const [first] = bought;
  if (!first) throw new Error('nobody bought');
  expect(await ask(world, shop, first.userId, first.jti)).toMatchObject({
    status: 202,
    orderNo: first.orderNo,
  });
  expect((await ask(world, shop, first.userId, 'jti_another')).status).toBe(409);
  const newcomer = sale.userIds.at(-1) ?? '';
  expect((await ask(world, shop, newcomer, 'jti_newcomer')).status).toBe(202);
  expect(await world.drainOutbox(sale.saleId)).toBe(1);
  expect(await brokenIn(world, shop)).toEqual([]);

  const kept = await world.db().order.count({ where: { saleId: sale.saleId } });
  expect(kept).toBeGreaterThanOrEqual(BEFORE + 1);
  expect(kept).toBeLessThanOrEqual(BEFORE + DURING + 1);
  await world.close();
});

it('[J7] with the old Redis, what was sold after the backup becomes orders again, paid or not', async () => {
  const databaseUrl = await restore('kept');
  const world = await openWorld(databaseUrl, oldRedis);
  const { saleId } = shop.sale;
  const restored = await world.db().order.findMany({ where: { saleId } });
  const known = new Set(restored.map(({ id }) => String(id)));
  const lost = shop.bought.map(({ orderNo }) => orderNo).filter((orderNo) => !known.has(orderNo));
  const missing = lost.length;
  expect(missing).toBeGreaterThanOrEqual(AFTER);
  expect(await findUnknown(oldRedis, databaseUrl)).toEqual([{ saleId, orderNos: lost.sort() }]);
  // A worker reads the provider's statement first: it has money for an order that nobody has written again yet.
  const paidLater = `pay_${shop.bought.at(-1)?.orderNo}`;
  await world.db().$executeRaw`
    INSERT INTO sandbox_payments (payment_id, outcome, amount_minor, currency)
    VALUES (${paidLater}, 'succeeded', 1000, 'EUR')`;
  expect(await world.readStatements()).toMatchObject({ noted: 1, asked: 0 });
  await world.db().$executeRaw`UPDATE statement_marks SET read_until = now() + interval '1 hour'`;

  expect(await world.guardStock()).toEqual([saleId]);
  expect(await brokenIn(world, shop)).toEqual([]);
  const look = { cause: 'demand', isRepairing: false, graceMs: 200, waitMs: 60_000 } as const;
  expect(await world.reconcileSale(saleId, look)).toMatchObject({ report: { inFlight: missing, found: 0 } });

  expect(await world.drainOutbox(saleId)).toBe(missing);
  const orders = await world.db().order.findMany({ where: { saleId } });
  expect(orders.map(({ id }) => String(id)).sort()).toEqual(shop.bought.map(({ orderNo }) => orderNo).sort());
  expect(await brokenIn(world, shop)).toEqual([]);
  expect(await world.reconcileSale(saleId, look)).toMatchObject({ report: { inFlight: 0, found: 0 } });

  // The provider's books are no older than before: it still has the money.
  const late = shop.bought.at(-1)?.orderNo ?? '';
  const stand = async () =>
    (await world.db().order.findMany({ where: { id: BigInt(late) } })).map(({ status }) => status);
  expect(await stand()).toEqual(['pending_payment']);
  await world.db().$executeRaw`UPDATE statement_marks SET claimed_at = now() - interval '61 seconds'`;
  expect(await world.readStatements()).toMatchObject({ noted: 0, asked: 1 });
  expect(await world.askLatePayments()).toMatchObject({ applied: 1 });
  await world.confirmPaid([{ saleId, orderNo: late }]);
  expect(await stand()).toEqual(['paid']);
  expect(await brokenIn(world, shop)).toEqual([]);
  expect(await world.verifyStatements()).toMatchObject({ ok: true });
  await world.close();
});

it('[J7 C6] a Redis that has loaded the sale anew since the backup is not taken for loaded', async () => {
  const { saleId, epoch } = shop.sale;
  const redis = await startStockRedis();
  const before = await openWorld(await restore('reloading'), redis.url);
  // As the shop of the backup, which loses its Redis once.
  await before.db().$executeRaw`UPDATE sales SET epoch = ${epoch} WHERE id = ${saleId}`;
  expect(await before.guardStock()).toEqual([saleId]);
  await before.close();
  const after = await openWorld(await restore('reloaded'), redis.url);
  expect(await after.guardStock()).toEqual([saleId]);
  expect(await brokenIn(after, shop)).toEqual([]);
  await after.close();
  await redis.stop();
});

it('[J7] every row of every table comes back, byte by byte', async () => {
  const { manifest: before } = await checkBackup(file, PASSPHRASE);
  const again = join(dir, 'again.backup');
  const { manifest: after } = await writeBackup({
    ...options,
    databaseUrl: await restore('twice'),
    out: again,
    mayReplace: false,
  });
  // Sales are to be loaded anew, and so have another epoch; notices are held.
  const changed = ['table public.sales', 'table public.side_features'];
  const rowsOf = ({ tables }: typeof before) =>
    tables.flatMap(({ name, rows, sha256 }) => (changed.includes(name) ? [] : [{ name, rows, sha256 }]));
  const salesOf = ({ tables }: typeof before) => tables.find(({ name }) => name === changed[0])?.rows;
  expect(salesOf(after)).toBe(salesOf(before));
  expect(rowsOf(after)).toEqual(rowsOf(before));
  expect(after.files).toEqual(before.files);
  const used = new Set(before.sequences.filter(({ value }) => value !== null).map(({ name }) => name));
  expect(after.sequences.filter(({ name }) => used.has(name))).toEqual(
    before.sequences.filter(({ name }) => used.has(name)),
  );
});

it('[J7 C6] each sale, and each slice that was ever loaded, is to be loaded anew; shoppers hear nothing', async () => {
  const client = new pg.Client({ connectionString: await restore('epochs') });
  await client.connect();
  const { rows: sales } = await client.query('SELECT epoch, slice_epochs FROM sales ORDER BY slices');
  const epoch = shop.sale.epoch + 1000;
  expect(sales).toEqual([
    { epoch, slice_epochs: [] },
    { epoch, slice_epochs: [1003, 0] },
  ]);
  const { rows: features } = await client.query('SELECT feature, mode FROM side_features ORDER BY 1');
  expect(features).toEqual([
    { feature: 'notices', mode: 'off' },
    { feature: 'reminders', mode: 'off' },
  ]);
  await client.end();
});

it('[J7] a file that was changed, cut off or needs another passphrase restores nothing', async () => {
  const whole = readFileSync(file);
  const damaged = join(dir, 'damaged.backup');
  const changedAt = (at: number) => {
    const bytes = Buffer.from(whole);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    return bytes;
  };
  const refused = (bytes: Buffer, passphrase = PASSPHRASE) => {
    writeFileSync(damaged, bytes);
    return expect(checkBackup(damaged, passphrase)).rejects;
  };
  await refused(changedAt(whole.length - 1)).toThrow(/damaged or cut off/);
  await refused(changedAt(Math.floor(whole.length / 2))).toThrow(/damaged or cut off/);
  for (const length of [whole.length - 1, Math.floor(whole.length / 2), 90])
    await refused(whole.subarray(0, length)).toThrow(/damaged or cut off/);
  await refused(whole.subarray(0, 40)).toThrow(/head of the backup is damaged/);
  await refused(Buffer.concat([whole, Buffer.from('x')])).toThrow(/damaged or cut off/);
  await refused(whole, 'another horse battery staple').toThrow(/passphrase is not the one/);
  await refused(changedAt(30)).toThrow(/passphrase is not the one/);
  await refused(changedAt(0)).toThrow(/not a backup of Seckill/);
  await refused(Buffer.alloc(0)).toThrow(/not a backup of Seckill/);
  await refused(changedAt(15)).toThrow(/format 0, and this release reads 1/);
});

it('[J7] the file is its owner’s alone, is not replaced unasked, and no half of one stays', async () => {
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const databaseUrl = process.env.DATABASE_URL ?? '';
  const before = readFileSync(file);
  await expect(writeBackup({ ...options, databaseUrl, mayReplace: false })).rejects.toThrow(
    /exists: .*--force/,
  );
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(readdirSync(dir).filter((name) => name.endsWith('.half'))).toEqual([]);
});

it('[J7] a database that holds anything is refused, one that was only migrated is not', async () => {
  const url = await restore('full');
  const { manifest } = await checkBackup(file, PASSPHRASE);
  const load = (databaseUrl: string, other = manifest) =>
    loadBackup({ file, passphrase: PASSPHRASE, manifest: other, databaseUrl, dataDir });
  await expect(load(url)).rejects.toThrow(/not empty \(.* has rows\)/);
  const foreign = await createDatabase(inject('databaseUrl'), `foreign_${process.pid}`);
  databases.push(foreign);
  const client = new pg.Client({ connectionString: foreign.url });
  await client.connect();
  await client.query('CREATE TABLE mine (id int)');
  await expect(load(foreign.url)).rejects.toThrow(/not empty \(it has mine\)/);
  await client.query('DROP TABLE mine');
  const newer = { ...manifest, migrations: [...manifest.migrations, '9999_later'] };
  await expect(load(foreign.url, newer)).rejects.toThrow(/migrations that this release lacks \(9999_later\)/);
  // A restore that fails in the middle leaves an empty database with its tables, into which the next one may go.
  const [table] = manifest.tables.filter(({ rows }) => rows > 0).slice(-1);
  const wrong = { ...manifest, tables: manifest.tables.map((t) => (t === table ? { ...t, rows: 0 } : t)) };
  await expect(load(foreign.url, wrong)).rejects.toThrow(/rows instead of 0/);
  await client.end();
  expect(await load(foreign.url)).toEqual([]);
});

it('[J7] a table that no migration makes is left out, and named', async () => {
  const databaseUrl = process.env.DATABASE_URL ?? '';
  const other = join(dir, 'other.backup');
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('CREATE TABLE mine (id serial); INSERT INTO mine DEFAULT VALUES');
  await writeBackup({ ...options, databaseUrl, out: other, mayReplace: false });
  await client.query('DROP TABLE mine');
  await client.end();
  const database = await createDatabase(inject('databaseUrl'), `without_${process.pid}`);
  databases.push(database);
  const { manifest } = await checkBackup(other, PASSPHRASE);
  const load = { file: other, passphrase: PASSPHRASE, manifest, databaseUrl: database.url, dataDir };
  expect(await loadBackup(load)).toEqual(['table public.mine']);
});
