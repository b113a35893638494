import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { bundleProcess } from '@/test/support/bundle-process';
import { createDatabase, type TestDatabase } from '@/test/support/create-database';
import { SEED } from '@/test/support/random';
import { createRandom } from '@/tools/harness/random';
import { applyMigrations } from './apply-migrations';
import { MIGRATIONS_DIR, readMigrations } from './read-migrations';
import { readCatalog } from './testing/catalog';

const APPLY = join(import.meta.dirname, 'testing/apply.ts');
const KILLS = 10;
/** About as long as a migration takes: the kill comes during one or between two. */
const WITHIN_MS = 12;
const POLL_MS = 2;
const END_SESSIONS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                      WHERE datname = current_database() AND pid <> pg_backend_pid()`;

let scratch: TestDatabase;
let watcher: pg.Client;
let child: ChildProcess | undefined;

beforeEach(openScratch);
afterEach(dropScratch);

async function openScratch(): Promise<void> {
  scratch = await createDatabase(inject('databaseUrl'), `killed_${process.pid}`);
  watcher = new pg.Client({ connectionString: scratch.url });
  await watcher.connect();
}
async function dropScratch(): Promise<void> {
  child?.kill('SIGKILL');
  await watcher.end();
  await scratch.drop();
}

const ask = async (sql: string, values: unknown[] = []) => (await watcher.query(sql, values)).rows;
const isThere = async (table: string) =>
  (await ask('SELECT to_regclass($1) IS NOT NULL AS yes', [table]))[0]?.yes;
/** Counts the migrations begun or finished. */
const countBegun = async () =>
  (await isThere('_prisma_migrations')) ? (await ask('SELECT 1 FROM _prisma_migrations')).length : 0;

/**
 * Starts a process that migrates, and kills it a given time after it has begun another migration.
 * @param kill.withServer also kills its session in the server, which would otherwise run on to the end of a migration
 * @returns how it ended: by the kill, or before with an exit code
 */
async function migrateAndKill(kill: { afterMs: number; withServer: boolean }): Promise<string | number> {
  const before = await countBegun();
  const argv = [await bundleProcess(APPLY), scratch.url, MIGRATIONS_DIR];
  const migrating = spawn(process.execPath, argv, { stdio: 'ignore' });
  child = migrating;
  const exited = once(migrating, 'exit');
  while (migrating.exitCode === null && (await countBegun()) <= before) await sleep(POLL_MS);
  await sleep(kill.afterMs);
  migrating.kill('SIGKILL');
  if (kill.withServer) await ask(END_SESSIONS);
  const [code, signal] = await exited;
  return signal ?? code;
}

it('[J4] killed again and again at random moments, starts together apply each migration once and lose no row', async () => {
  const names = (await readMigrations()).migrationDirectories.map(({ path }) => path);
  const random = createRandom(SEED);
  const ends: (string | number)[] = [];
  const kept: string[] = [];
  for (let start = 1; start <= KILLS; start += 1) {
    const kill = { afterMs: random.int(0, WITHIN_MS), withServer: random.chance(0.5) };
    let end = await migrateAndKill(kill);
    // If this process stood still, the first start may have got to the end before it could be killed.
    for (let more = 4; start === 1 && end !== 'SIGKILL' && more > 0; more -= 1) {
      await dropScratch();
      await openScratch();
      end = await migrateAndKill(kill);
    }
    ends.push(end);
    if (!(await isThere('users'))) continue;
    kept.push(`u${start}`);
    const row = [`u${start}`, `u${start}@example.com`];
    await ask("INSERT INTO users (id, email, name, password_hash) VALUES ($1, $2, 'Test', '!')", row);
  }
  // A fast machine finishes before the last of them: then there is nothing left to do.
  expect(
    ends.filter((end) => end !== 'SIGKILL' && end !== 0),
    `seed ${SEED}`,
  ).toEqual([]);
  expect(ends[0]).toBe('SIGKILL');
  await applyMigrations(scratch.url);
  expect(await applyMigrations(scratch.url)).toEqual([]);
  const applied = await ask(
    'SELECT migration_name AS name, finished_at IS NOT NULL AND rolled_back_at IS NULL AS ok FROM _prisma_migrations ORDER BY 1',
  );
  expect(applied).toEqual(names.map((name) => ({ name, ok: true })));
  expect(await readCatalog(scratch.url)).toEqual(await readCatalog(process.env.DATABASE_URL ?? ''));
  expect((await ask('SELECT id FROM users ORDER BY id')).map(({ id }) => id)).toEqual(kept.sort());
});
