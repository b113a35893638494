import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, it, vi } from 'vitest';
import { bundleProcess } from '@/test/support/bundle-process';
import { createDatabase, type TestDatabase } from '@/test/support/create-database';
import { applyMigrations } from './apply-migrations';

const APPLY = join(import.meta.dirname, 'testing/apply.ts');
/** The second migration waits half-way for this lock until the test opens the gate. */
const GATE = 4711;
const SCRIPTS = {
  '0001_first': 'CREATE TABLE first (id int);',
  '0002_long': `CREATE TABLE long (id int); SELECT pg_advisory_xact_lock(${GATE}); INSERT INTO long VALUES (1);`,
  '0003_last': 'CREATE TABLE last (id int)',
};

let scratch: TestDatabase;
let gate: pg.Client;
let dir: string;
let child: ChildProcess;

/** Starts a process that is in the middle of the second migration. */
beforeEach(async () => {
  scratch = await createDatabase(inject('databaseUrl'), `interrupted_${process.pid}`);
  gate = new pg.Client({ connectionString: scratch.url });
  await gate.connect();
  await gate.query('SELECT pg_advisory_lock($1)', [GATE]);
  dir = mkdtempSync(join(tmpdir(), 'seckill-migrations-'));
  writeFileSync(join(dir, 'migration_lock.toml'), 'provider = "postgresql"\n');
  for (const [name, sql] of Object.entries(SCRIPTS)) {
    mkdirSync(join(dir, name));
    writeFileSync(join(dir, name, 'migration.sql'), sql);
  }
  child = spawn(process.execPath, [await bundleProcess(APPLY), scratch.url, dir], { stdio: 'ignore' });
  await vi.waitFor(async () => expect(await waiting()).toHaveLength(1), { timeout: 90_000, interval: 50 });
});
afterEach(async () => {
  child.kill('SIGKILL');
  await gate.end();
  await scratch.drop();
  rmSync(dir, { recursive: true, force: true });
});

async function waiting(): Promise<number[]> {
  const { rows } = await gate.query(
    "SELECT pid FROM pg_locks WHERE NOT granted AND locktype = 'advisory' AND objid = $1",
    [GATE],
  );
  return rows.map(({ pid }) => pid);
}
const rowsOf = async (table: string) => (await gate.query(`SELECT * FROM ${table}`)).rows;
const finished = async () =>
  (
    await gate.query('SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY 1')
  ).rows.map(({ migration_name }) => migration_name);

it('[J4] a migration whose process is killed ends in the server, and the next start goes on after it', async () => {
  child.kill('SIGKILL');
  await once(child, 'exit');
  const next = applyMigrations(scratch.url, dir);
  // The new process waits for the dead one's script instead of running it at the same time.
  await gate.query('SELECT pg_advisory_unlock($1)', [GATE]);
  expect(await next).toEqual(['0003_last']);
  expect(await finished()).toEqual(Object.keys(SCRIPTS));
  expect(await rowsOf('long')).toEqual([{ id: 1 }]);
});

it('[J4] a migration whose server is killed is rolled back, and the next start applies it from the beginning', async () => {
  const [pid] = await waiting();
  child.kill('SIGKILL');
  await gate.query('SELECT pg_terminate_backend($1)', [pid]);
  await gate.query('SELECT pg_advisory_unlock($1)', [GATE]);
  expect(await applyMigrations(scratch.url, dir)).toEqual(['0002_long', '0003_last']);
  expect(await finished()).toEqual(Object.keys(SCRIPTS));
  expect(await rowsOf('long')).toEqual([{ id: 1 }]);
});
