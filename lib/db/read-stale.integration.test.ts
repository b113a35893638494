import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { applyMigrations } from '@/scripts/migrate/apply-migrations';
import { eventually } from '@/test/support/eventually';
import { makeDraft, makeUser } from '@/test/support/make-sale';
import { type ReplicatedPostgres, startReplicatedPostgres } from '@/test/support/start-replicated-postgres';

const MAX_LAG_MS = 8_000;
const given = { ...process.env };
let servers: ReplicatedPostgres;
let onReplica: pg.Client;
let modules: Awaited<ReturnType<typeof load>>;

/** Loads our modules anew, so that they read the environment with the replica. */
async function load() {
  vi.resetModules();
  const [client, { readStale }, { noteWritten }, { listAdminSales }] = await Promise.all([
    import('./client'),
    import('./read-stale'),
    import('./replicas'),
    import('@/lib/sale/admin/list-admin-sales'),
  ]);
  return { ...client, readStale, noteWritten, listAdminSales };
}

beforeAll(async () => {
  servers = await startReplicatedPostgres();
  await applyMigrations(servers.primary.url);
  Object.assign(process.env, {
    DATABASE_URL: servers.primary.url,
    DATABASE_REPLICA_URLS: servers.replica.url,
    REPLICA_MAX_LAG_MS: String(MAX_LAG_MS),
  });
  modules = await load();
  onReplica = new pg.Client({ connectionString: servers.replica.url });
  onReplica.on('error', () => {});
  await onReplica.connect();
});
afterAll(async () => {
  await modules?.closeDb();
  await onReplica?.end().catch(() => {});
  await servers?.stop();
  for (const name of ['DATABASE_REPLICA_URLS', 'REPLICA_MAX_LAG_MS']) delete process.env[name];
  process.env.DATABASE_URL = given.DATABASE_URL;
});

let made = 0;
const makeOne = async () => {
  await makeDraft();
  made += 1;
};
const everybodys = async () => {
  const admin = { userId: 'user_admin', role: 'admin' } as const;
  return (await modules.listAdminSales(admin, { limit: 50 })).sales.length;
};
const isReplica = () =>
  modules.readStale(async (client) => {
    const [row] = await client.$queryRaw<{ is: boolean }[]>`SELECT pg_is_in_recovery() AS is`;
    return row?.is;
  });
const isFresh = () => eventually(async () => expect(await isReplica()).toBe(true));

it('[K4] the first read is the primary’s, since nobody knows yet how far the replica is; then it is the replica’s', async () => {
  expect(await isReplica()).toBe(false);
  await isFresh();
});

it('[K4] whoever has changed something sees it at once, and reads from the replica again when that has it', async () => {
  await isFresh();
  const countUsers = () => modules.readStale((client) => client.user.count());
  const before = await countUsers();
  // Within its bound the replica still counts as fresh, though it gets nothing more.
  await onReplica.query('SELECT pg_wal_replay_pause()');
  try {
    await makeUser();
    expect([await isReplica(), await countUsers()]).toEqual([true, before]);
    modules.noteWritten();
    expect([await isReplica(), await countUsers()]).toEqual([false, before + 1]);
  } finally {
    await onReplica.query('SELECT pg_wal_replay_resume()');
  }
  await isFresh();
  expect(await countUsers()).toBe(before + 1);
});

it('[K4] a replica that falls behind is read from no more, and again when it has caught up', async () => {
  await isFresh();
  await onReplica.query('SELECT pg_wal_replay_pause()');
  await makeOne();
  try {
    await eventually(async () => expect(await isReplica()).toBe(false));
    expect(await everybodys()).toBe(made);
  } finally {
    await onReplica.query('SELECT pg_wal_replay_resume()');
  }
  await isFresh();
  expect(await everybodys()).toBe(made);
});

it('[K4] what a replica may not or can’t do, the primary does', async () => {
  await isFresh();
  const merchant = await makeUser('merchant');
  const { count } = await modules.readStale((client) =>
    client.user.updateMany({ where: { id: merchant.userId }, data: { name: 'changed' } }),
  );
  expect(count).toBe(1);
});

it('[K4] a replica that dies fails no read, and is used again when it is back', async () => {
  await isFresh();
  await servers.replica.stop();
  for (let n = 0; n < 5; n += 1) expect(await isReplica()).toBe(false);
  await servers.replica.start();
  await isFresh();
});

it('[K4] an error of the read itself is not asked twice', async () => {
  await isFresh();
  let times = 0;
  const read = modules.readStale((client) => {
    times += 1;
    return client.$queryRaw`SELECT 1 / 0`;
  });
  await expect(read).rejects.toThrow(/division by zero/);
  expect(times).toBe(1);
});

it('[K4] a replica that was promoted goes a way of its own, and nobody reads from it', async () => {
  await isFresh();
  const promoting = new pg.Client({ connectionString: servers.replica.url });
  await promoting.connect();
  await promoting.query('SELECT pg_promote()');
  await promoting.end();
  await makeOne();
  modules.noteWritten();
  await new Promise((done) => setTimeout(done, 2 * MAX_LAG_MS));
  for (let n = 0; n < 10; n += 1) {
    expect(await everybodys()).toBe(made);
    await new Promise((done) => setTimeout(done, 50));
  }
});
