import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { readLastBackup } from '@/lib/preflight/backup-note';
import { createDatabase } from '@/test/support/create-database';
import { ensureDatabase } from '../infra/ensure-database.mjs';
import { anyFreePort } from '../infra/ports.mjs';
import { startPostgres } from '../infra/postgres.mjs';
import { takeStartLock } from '../infra/start-lock.mjs';

const root = resolve(import.meta.dirname, '../..');
const dir = mkdtempSync(join(tmpdir(), 'seckill-backup-commands-'));
const file = join(dir, 'shop.backup');
const shopDir = join(dir, 'shop');
const newDir = join(dir, 'new');
const env = { SECKILL_BACKUP_PASSPHRASE: 'correct horse battery staple' };
const USERS = 3;

/** Runs a command's code with the loader that npm starts it with: it finds the migrations beside itself. */
function run(name: string, args: string[], more: Record<string, string> = {}) {
  const argv = ['--import', 'tsx', '--conditions=react-server', `scripts/${name}.ts`, ...args];
  return new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
    const options = { cwd: root, env: { ...process.env, ...env, ...more } };
    execFile(process.execPath, argv, options, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}
const nowhere = { DATABASE_URL: '', REDIS_URL: '' };

beforeAll(async () => {
  // As root, Postgres runs as another account, which must be able to pass through the folder.
  chmodSync(dir, 0o711);
  mkdirSync(shopDir);
  writeFileSync(
    join(shopDir, 'secrets.json'),
    JSON.stringify({ ENTRY_SECRET: 'kept', POSTGRES_PASSWORD: 'kept-password' }),
  );
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  await client.query(
    "INSERT INTO users (id, email, name, password_hash) SELECT 'u' || n, n || '@example.com', 'Ann', '!' FROM generate_series(1, $1::int) n",
    [USERS],
  );
  await client.end();
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

it('[J7] a backup is written, checked and restored into an empty data directory, its secrets too', async () => {
  const written = await run('backup', ['--out', file], { SECKILL_DATA_DIR: shopDir });
  expect(written, written.stderr).toMatchObject({ code: 0 });
  expect(written.stdout).toContain('3 in users');
  expect(written.stdout).toContain('the secrets of the data directory');
  expect(written.stdout).not.toContain('/admin/setup');
  expect(await readLastBackup()).not.toBeNull();
  await closeDb();
  expect(readFileSync(file).includes('kept-password')).toBe(false);

  const checked = await run('restore', ['--in', file, '--check'], nowhere);
  expect(checked, checked.stderr).toMatchObject({ code: 0 });
  expect(checked.stdout).toContain('3 in users');

  const restored = await run('restore', ['--in', file, '--data-dir', newDir], nowhere);
  expect(restored, restored.stderr).toMatchObject({ code: 0 });
  expect(restored.stdout).toMatch(/What was accepted after \S+Z is lost, unless/);
  expect(JSON.parse(readFileSync(join(newDir, 'secrets.json'), 'utf8'))).toMatchObject({
    ENTRY_SECRET: 'kept',
  });
  expect(statSync(join(newDir, 'secrets.json')).mode & 0o777).toBe(0o600);
  const server = await startPostgres({
    dir: join(newDir, 'postgres'),
    port: await anyFreePort(),
    password: 'kept-password',
    logFile: join(newDir, 'postgres.log'),
  });
  try {
    const client = new pg.Client({ connectionString: await ensureDatabase(server.url, 'seckill') });
    await client.connect();
    const { rows } = await client.query('SELECT count(*)::int AS count FROM users');
    await client.end();
    expect(rows).toEqual([{ count: USERS }]);
  } finally {
    await server.stop();
  }

  const again = await run('restore', ['--in', file, '--data-dir', newDir], nowhere);
  expect(again).toMatchObject({ code: 2, stdout: '' });
  expect(again.stderr).toContain('has a database already');
});

it('[J7 O7] restores into the empty database of DATABASE_URL, keeps the directory’s own secrets, and holds the notices back', async () => {
  const database = await createDatabase(inject('databaseUrl'), `restored_by_command_${process.pid}`);
  const own = join(dir, 'own');
  mkdirSync(own);
  writeFileSync(join(own, 'secrets.json'), '{"ENTRY_SECRET":"own"}');
  try {
    const restored = await run('restore', ['--in', file, '--data-dir', own], { DATABASE_URL: database.url });
    expect(restored, restored.stderr).toMatchObject({ code: 0 });
    expect(restored.stdout).toContain('Redis knows no purchase that the backup lacks.');
    expect(restored.stdout).toMatch(/The audit log ends with entry \d+, hash [0-9a-f]{64}/);
    expect(restored.stdout).toContain('wait until you switch them on at /admin/switchboard');
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query('SELECT feature, mode FROM side_features ORDER BY 1');
    await client.end();
    expect(rows).toEqual([
      { feature: 'notices', mode: 'off' },
      { feature: 'reminders', mode: 'off' },
    ]);
    expect(readFileSync(join(own, 'secrets.json'), 'utf8')).toBe('{"ENTRY_SECRET":"own"}');
    expect(existsSync(join(own, 'postgres'))).toBe(false);
  } finally {
    await database.drop();
  }
});

it('[J7] what cannot be done is one sentence, and leaves nothing behind', async () => {
  const busy = join(dir, 'busy');
  mkdirSync(busy);
  const { release } = await takeStartLock(busy);
  const untouched = join(dir, 'untouched');
  const torn = join(dir, 'torn.backup');
  writeFileSync(torn, readFileSync(file).subarray(0, -100));
  const passphrase = join(dir, 'passphrase');
  writeFileSync(passphrase, 'another horse battery staple\n');
  const to = (target: string) => ['--in', file, '--data-dir', target];
  const outcomes = await Promise.all([
    run('backup', []),
    run('backup', ['--out', file]),
    run('backup', ['--out', join(dir, 'no', 'folder')]),
    run('backup', ['--out', join(dir, 'weak')], { SECKILL_BACKUP_PASSPHRASE: 'demo-password' }),
    run('backup', ['--out', join(dir, 'none')], { SECKILL_BACKUP_PASSPHRASE: '' }),
    run('restore', to(busy), nowhere),
    run('restore', [...to(untouched), '--passphrase-file', passphrase], nowhere),
    run('restore', ['--in', torn, '--data-dir', untouched], nowhere),
    run('restore', ['--in', join(dir, 'absent'), '--check'], nowhere),
  ]);
  release();
  const reasons = [
    /usage: npm run backup/,
    /--force/,
    /cannot be written \(ENOENT\)/,
    /too easy to guess/,
    /There is no passphrase/,
    /Another start/,
    /passphrase is not the one/,
    /damaged or cut off/,
    /can't be read from .*ENOENT/,
  ];
  for (const [at, { code, stdout, stderr }] of outcomes.entries()) {
    expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(reasons[at] ?? /never/);
    expect(stderr).not.toMatch(/\n\s+at /);
  }
  expect(existsSync(untouched)).toBe(false);
  expect(existsSync(join(busy, 'postgres'))).toBe(false);
});
