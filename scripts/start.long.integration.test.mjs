import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { runStart } from '../test/support/run-start.mjs';
import { anyFreePort } from './infra/ports.mjs';
import { startMark } from './infra/processes.mjs';

let dataDir;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'seckill-start-'));
  // As root, Postgres runs as another account, which must be able to pass through the folder.
  chmodSync(dataDir, 0o711);
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** Expects one sentence for a person and nothing else: no stack trace, exit code 1. */
async function refusal(env, nodeArgs, args) {
  const { code, output } = await runStart(
    { PORT: String(await anyFreePort()), SECKILL_DATA_DIR: dataDir, ALLOW_SANDBOX_PAYMENTS: '1', ...env },
    nodeArgs,
    args,
  );
  expect(code).toBe(1);
  expect(output).not.toMatch(/^\s+at /m);
  return output.trim().split('\n').at(-1);
}

const withServers = () => ({ DATABASE_URL: process.env.DATABASE_URL, REDIS_URL: process.env.REDIS_URL });

it('[L1] a Node that is too old is told which one to install', async () => {
  const pretend =
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } })";
  const said = await refusal({}, ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`]);
  expect(said).toBe(
    'Node 18.20.4 is too old: install Node 20.19.0 or newer from https://nodejs.org and start again.',
  );
});

it('[L1] a data directory that cannot be written is named, with the variable that changes it', async () => {
  expect(await refusal({ SECKILL_DATA_DIR: '/dev/null/seckill' })).toBe(
    'The data directory /dev/null/seckill cannot be written (ENOTDIR): choose another with SECKILL_DATA_DIR=/some/folder npm start.',
  );
});

it('[L1] a configured port that is taken leads to the command with a free one', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  try {
    expect(await refusal({ PORT: String(port) })).toMatch(
      new RegExp(`^Port ${port} is taken: PORT=\\d+ npm start\\.$`),
    );
  } finally {
    server.close();
  }
});

it('[L1] a port that is none is refused', async () => {
  expect(await refusal({ PORT: 'http' })).toMatch(/^PORT=http is not a port/);
});

it('[L1] an address that this machine does not have is refused at once', async () => {
  expect(await refusal({ SECKILL_HOST: '192.0.2.1' })).toBe(
    'SECKILL_HOST=192.0.2.1 is no address of this machine (EADDRNOTAVAIL): use 127.0.0.1 for this machine alone, 0.0.0.0 for everybody.',
  );
});

it('[L1] nonsense in the environment is named before anything is started or changed, all of it at once', async () => {
  const { code, output } = await runStart({
    PORT: String(await anyFreePort()),
    SECKILL_DATA_DIR: dataDir,
    METRICS_PORT: 'many',
    NEXTAUTH_URL: 'shop.example',
    SECKILL_DEMO: 'off',
    ENTRY_SECRET: 'short',
  });
  expect(code).toBe(1);
  expect(output.trim().split('\n').slice(-5)).toEqual([
    'These environment variables are missing or wrong:',
    '  NEXTAUTH_URL: must be a URL that starts with http:// or https://',
    '  ENTRY_SECRET: must have at least 32 characters',
    '  METRICS_PORT: must be a whole number from 1 to 65535',
    '  SECKILL_DEMO: must be 0, 1, true or false',
  ]);
  expect(readdirSync(dataDir)).not.toContain('postgres');
});

it('[N7] a demo where strangers come, money that is none, and functions for everybody are refused at once', async () => {
  const refused = async (env) => {
    const { code, output } = await runStart({
      PORT: String(await anyFreePort()),
      SECKILL_DATA_DIR: dataDir,
      ...env,
    });
    expect(code).toBe(1);
    expect(readdirSync(dataDir)).not.toContain('postgres');
    return output.trim().split('\n').at(-1);
  };
  expect(await refused({ NEXTAUTH_URL: 'https://shop.example.com' })).toMatch(
    /^ {2}SECKILL_DEMO: must be 0 /,
  );
  expect(await refused({ TRUST_PROXY: '1' })).toMatch(/^ {2}SECKILL_DEMO: must be 0 /);
  expect(await refused({ SECKILL_DEMO: '0' })).toMatch(/^ {2}ALLOW_SANDBOX_PAYMENTS: must be 1 /);
  expect(await refused(withServers())).toMatch(/^ {2}ALLOW_SANDBOX_PAYMENTS: must be 1 /);
  expect(await refused({ INNGEST_DEV: '1' })).toMatch(/^ {2}INNGEST_DEV: must not be set in production/);
});

it('[L1] a second start on the same data directory names the first', async () => {
  const holder = { pid: process.pid, mark: startMark(process.pid) };
  writeFileSync(join(dataDir, 'start.lock'), JSON.stringify(holder));
  expect(await refusal({})).toMatch(new RegExp(`^Another start \\(process ${process.pid}\\) already uses `));
  expect(JSON.parse(readFileSync(join(dataDir, 'start.lock'), 'utf8'))).toEqual(holder);
});

it('[L1] a wrong DATABASE_URL: not an address, nobody there, wrong password, no such database', async () => {
  expect(await refusal({ DATABASE_URL: 'my-database' })).toMatch(/^DATABASE_URL is not a Postgres address/);
  const nobody = await anyFreePort();
  expect(await refusal({ DATABASE_URL: `postgres://me:secret@127.0.0.1:${nobody}/shop` })).toBe(
    `Postgres at 127.0.0.1:${nobody}/shop can't be used (nothing answers there): correct DATABASE_URL, or unset it to use the embedded Postgres.`,
  );
  const wrongPassword = new URL(inject('databaseUrl'));
  wrongPassword.password = 'wrong';
  const said = await refusal({ DATABASE_URL: wrongPassword.href });
  expect(said).toMatch(/the password or the user name is wrong/);
  expect(said).not.toMatch(/:wrong@/);
  const noDatabase = new URL(inject('databaseUrl'));
  noDatabase.pathname = '/no_such_database';
  expect(await refusal({ DATABASE_URL: noDatabase.href })).toMatch(/that database does not exist/);
});

it('[L1] a wrong REDIS_URL: not an address, nobody there', async () => {
  expect(await refusal({ ...withServers(), REDIS_URL: 'localhost:6379' })).toMatch(
    /^REDIS_URL is not a Redis address/,
  );
  const nobody = await anyFreePort();
  expect(await refusal({ ...withServers(), REDIS_URL: `redis://127.0.0.1:${nobody}` })).toBe(
    `Redis at 127.0.0.1:${nobody} can't be used (nothing answers there): correct REDIS_URL, or unset it to use the embedded Redis.`,
  );
});

it('[L1] without Redis and without a way to install it, the one command to run is named', async () => {
  const { DATABASE_URL } = withServers();
  expect(await refusal({ DATABASE_URL, PATH: '/nonexistent' })).toBe(
    'Redis is not installed: install Redis 7.0 or newer from https://redis.io, or set REDIS_URL.',
  );
});

it('[L1] what was started before a refusal is stopped again', async () => {
  mkdirSync(join(dataDir, 'redis'), { recursive: true });
  writeFileSync(join(dataDir, 'redis', 'appendonlydir'), 'a file where Redis wants a folder');
  // No build: it takes minutes while all the other tests run.
  expect(await refusal({}, [], ['--dev'])).toMatch(
    /^Redis did not start \(.*append-only dir.*\); the whole log is /,
  );
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
  const log = readFileSync(join(dataDir, 'logs', 'postgres.log'), 'utf8');
  expect(log).toMatch(/database system is ready to accept connections/);
  expect(log).toMatch(/database system is shut down/);
  expect(() => readFileSync(pidFile)).toThrow();
});

it('[L1] secrets are made once and readable by their owner alone', async () => {
  const file = join(dataDir, 'secrets.json');
  await refusal({ DATABASE_URL: 'my-database' });
  const first = readFileSync(file, 'utf8');
  await refusal({ DATABASE_URL: 'my-database' });
  expect(readFileSync(file, 'utf8')).toBe(first);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
