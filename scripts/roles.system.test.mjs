import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runNpm } from '../test/support/run-npm.mjs';
import { cleanEnv } from './infra/clean-env.mjs';
import { ensureRedis } from './infra/find-server.mjs';
import { partArguments } from './infra/part-commands.mjs';
import { anyFreePort } from './infra/ports.mjs';
import { startPostgres } from './infra/postgres.mjs';
import { hasEnded, stopChild } from './infra/processes.mjs';
import { startReaper } from './infra/reaper.mjs';
import { startRedis } from './infra/redis.mjs';
import { newSecrets } from './infra/secrets.mjs';

// The processes of a shop on machines of its own: each started by its own command, with nothing but an environment, on
// an address of its own. Several loopback addresses stand for the machines.
const root = resolve(import.meta.dirname, '..');
const dir = mkdtempSync(join(tmpdir(), 'seckill-roles-'));
const PATIENCE = { timeout: 60_000, interval: 100 };
const HOSTS = { web1: '127.0.0.1', web2: '127.0.0.2', worker: '127.0.0.3', executor: '127.0.0.4' };
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const reaper = startReaper(dir);
const onSpawn = (child) => reaper.watch(child.pid);
const secrets = newSecrets();
const stores = {};
const parts = {};
let shared;
let startStore;

/** Starts a role as npm does, without npm around it: then the process that gets our signal is the role itself. */
function startRole(role, env) {
  const argv = scripts[role].split(' ').slice(2);
  const child = spawn(process.execPath, argv, {
    cwd: root,
    env: cleanEnv(process.env, env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onSpawn(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const ended = new Promise((done) => child.once('exit', (code, signal) => done(code ?? signal)));
  return { child, ended, output: () => output };
}

/** Asks every process how it is: the two statuses of each, and what is missing. */
async function health() {
  const asked = Object.entries(parts).map(async ([name, { origin }]) => {
    const [alive, ready] = await Promise.all(['/livez', '/readyz'].map((path) => fetch(origin + path)));
    const { ready: _, ...checks } = await ready.json();
    const missing = Object.entries(checks).flatMap(([what, { ok }]) => (ok ? [] : [what]));
    return [name, [alive.status, ready.status, ...missing]];
  });
  return Object.fromEntries(await Promise.all(asked));
}

beforeAll(async () => {
  chmodSync(dir, 0o711);
  const [build, binary] = await Promise.all([runNpm('build', []), ensureRedis()]);
  expect(build.stderr).toBe('');
  const ports = { postgres: await anyFreePort(), redis: await anyFreePort() };
  startStore = {
    postgres: () =>
      startPostgres({
        dir: join(dir, 'postgres'),
        port: ports.postgres,
        password: secrets.POSTGRES_PASSWORD,
        logFile: join(dir, 'postgres.log'),
        onSpawn,
      }),
    redis: () =>
      startRedis({
        binary,
        dir: join(dir, 'redis'),
        port: ports.redis,
        logFile: join(dir, 'redis.log'),
        onSpawn,
      }),
  };
  stores.postgres = await startStore.postgres();
  stores.redis = await startStore.redis();

  const names = Object.keys(HOSTS);
  const free = await Promise.all(names.map(() => anyFreePort()));
  for (const [at, name] of names.entries())
    parts[name] = { host: HOSTS[name], port: String(free[at]), origin: `http://${HOSTS[name]}:${free[at]}` };
  const { POSTGRES_PASSWORD: _, INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY, ...own } = secrets;
  const executor = {
    DATABASE_URL: stores.postgres.url,
    INNGEST_EVENT_KEY,
    INNGEST_SIGNING_KEY,
    INNGEST_SERVE_ORIGIN: parts.web2.origin,
    EXECUTOR_HOST: parts.executor.host,
    EXECUTOR_PORT: parts.executor.port,
  };
  shared = {
    ...executor,
    ...own,
    REDIS_URL: stores.redis.url,
    INNGEST_BASE_URL: parts.executor.origin,
    MAIL_DIR: join(dir, 'mail'),
    SECKILL_DEMO: '1',
  };
  parts.executor.env = executor;
  parts.worker.env = { ...shared, METRICS_HOST: parts.worker.host, METRICS_PORT: parts.worker.port };
  for (const name of ['web1', 'web2'])
    parts[name].env = {
      ...shared,
      SECKILL_HOST: parts[name].host,
      PORT: parts[name].port,
      NEXTAUTH_URL: parts[name].origin,
    };
});

afterAll(async () => {
  for (const { child } of Object.values(parts)) if (child && !hasEnded(child)) child.kill('SIGKILL');
  await Promise.all(Object.values(stores).map(({ child }) => stopChild(child, { signal: 'SIGKILL' })));
  rmSync(dir, { recursive: true, force: true });
  reaper.dismiss();
});

it('[K5] the commands start what npm start starts, in the same way', () => {
  const file = (name) => `.next/seckill-${name}.mjs`;
  const started = partArguments({ web: file('server'), worker: file('worker'), executor: file('executor') });
  for (const [role, args] of Object.entries(started)) {
    const line = ['exec', 'node', ...args.slice(0, -1), '--import', './scripts/before-role.mjs', args.at(-1)];
    expect(scripts[role]).toBe(line.join(' '));
  }
});

it('[K5] each role says in one sentence what it lacks, and ends', async () => {
  const { INNGEST_EVENT_KEY: _, ...noKey } = parts.executor.env;
  const wrongPassword = shared.DATABASE_URL.replace(secrets.POSTGRES_PASSWORD, 'wrong');
  const taken = new URL(stores.redis.url).port;
  const cases = [
    ['executor', noKey, /INNGEST_EVENT_KEY: is not set\n$/],
    [
      'executor',
      { ...parts.executor.env, EXECUTOR_HOST: '0.0.0.0', INNGEST_EVENT_KEY: 'short' },
      /INNGEST_EVENT_KEY: must be a random key .* where EXECUTOR_HOST is not loopback\n$/,
    ],
    [
      'executor',
      { ...parts.executor.env, EXECUTOR_HOST: '127.0.0.1', EXECUTOR_PORT: taken },
      new RegExp(`Port ${taken} at 127.0.0.1 is taken: set EXECUTOR_PORT to another port.\n$`),
    ],
    [
      'worker',
      { ...parts.worker.env, DATABASE_URL: wrongPassword },
      /the password or the user name is wrong/,
    ],
    [
      'worker',
      { ...parts.worker.env, ENTRY_SECRET: 'secret'.repeat(9) },
      /ENTRY_SECRET: looks like a default/,
    ],
    ['web', { ...parts.web1.env, REDIS_URL: 'redis://127.0.0.1:9' }, /Redis at 127.0.0.1:9 can't be used/],
    ['web', { ...parts.web1.env, NEXTAUTH_SECRET: '' }, /NEXTAUTH_SECRET: is not set\n$/],
    ['migrate', { DATABASE_URL: '' }, /DATABASE_URL is not set\n$/],
  ];
  for (const [role, env, said] of cases) {
    const { ended, output } = startRole(role, env);
    expect(await ended, role).toBe(1);
    expect(output(), role).toMatch(said);
    expect(output(), role).not.toContain('    at ');
  }
});

it('[K5] migrate, two web processes, a worker and an executor sell on addresses of their own, tell how they are, and end when told', async () => {
  const migrated = await runNpm('migrate', [], { DATABASE_URL: shared.DATABASE_URL });
  expect(migrated).toMatchObject({ code: 0, stdout: expect.stringContaining('applied') });
  await seed();

  for (const [name, part] of Object.entries(parts))
    Object.assign(part, startRole(name.replace(/\d$/, ''), part.env));
  const well = { web1: [200, 200], web2: [200, 200], worker: [200, 200], executor: [200, 200] };
  await vi.waitFor(async () => expect(await health()).toEqual(well), PATIENCE);

  const orders = await buyAtBoth();
  for (const { origin, orderNo, entryToken } of orders)
    await vi.waitFor(async () => {
      // Written once Postgres has it: before that it is queued.
      const order = await fetch(`${origin}/api/orders/${orderNo}`, {
        headers: { 'x-entry-token': entryToken },
      });
      expect(await order.json()).toMatchObject({ orderNo, status: 'pending_payment' });
    }, PATIENCE);
  const metrics = await (await fetch(`${parts.worker.origin}/metrics`)).text();
  expect(metrics).toContain('seckill_outbox_depth');

  await stores.redis.stop();
  const withoutRedis = [200, 503, 'redis'];
  await vi.waitFor(
    async () =>
      expect(await health()).toEqual({
        web1: withoutRedis,
        web2: withoutRedis,
        worker: withoutRedis,
        executor: [200, 200],
      }),
    PATIENCE,
  );
  stores.redis = await startStore.redis();
  await stores.postgres.stop();
  const withoutPostgres = [200, 503, 'postgres', 'executor'];
  await vi.waitFor(
    async () =>
      expect(await health()).toEqual({
        web1: withoutPostgres,
        web2: withoutPostgres,
        worker: withoutPostgres,
        executor: [200, 503, 'postgres'],
      }),
    PATIENCE,
  );
  stores.postgres = await startStore.postgres();
  await vi.waitFor(async () => expect(await health()).toEqual(well), PATIENCE);

  const from = performance.now();
  for (const { child } of Object.values(parts)) child.kill('SIGTERM');
  for (const [name, { ended, output }] of Object.entries(parts))
    expect(await ended, `${name}: ${output().slice(-2_000)}`).toBe(0);
  expect(performance.now() - from).toBeLessThan(9_000);
});

async function seed() {
  const child = spawn(process.execPath, ['--import', 'tsx', '--conditions=react-server', 'scripts/seed.ts'], {
    cwd: root,
    env: cleanEnv(process.env, shared),
    stdio: 'ignore',
  });
  onSpawn(child);
  expect(await new Promise((done) => child.once('exit', done))).toBe(0);
}

/** Buys one unit at each web process, by tokens for load tests. */
async function buyAtBoth() {
  const { sales } = await (await fetch(`${parts.web1.origin}/api/sales`)).json();
  const { saleId } = sales.find(({ status }) => status === 'live');
  const out = join(dir, `tokens-${randomBytes(4).toString('hex')}.jsonl`);
  const made = await runNpm('loadtest:tokens', ['--sale', saleId, '--users', '2', '--out', out], shared);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const tokens = readFileSync(out, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const buy = async ({ entryToken }, at) => {
    const { origin } = parts[`web${at + 1}`];
    const { gate } = await (await fetch(`${origin}/api/sales/${saleId}/state`)).json();
    const bought = await fetch(`${origin}/api/sales/${saleId}/purchase/${gate}`, {
      method: 'POST',
      headers: { 'x-entry-token': entryToken },
    });
    const answer = await bought.json();
    expect(bought.status, JSON.stringify(answer)).toBe(202);
    return { origin, entryToken, orderNo: answer.orderNo };
  };
  return Promise.all(tokens.map(buy));
}
