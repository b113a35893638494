import { spawn } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { cleanEnv } from '../../scripts/infra/clean-env.mjs';
import { ensureRedis } from '../../scripts/infra/find-server.mjs';
import { anyFreePort } from '../../scripts/infra/ports.mjs';
import { startPostgres } from '../../scripts/infra/postgres.mjs';
import { hasEnded, stopChild } from '../../scripts/infra/processes.mjs';
import { startReaper } from '../../scripts/infra/reaper.mjs';
import { startRedis } from '../../scripts/infra/redis.mjs';
import { newSecrets } from '../../scripts/infra/secrets.mjs';
import { startStopwatch } from './stopwatch';

const checkout = resolve(import.meta.dirname, '../..');
/** Several loopback addresses stand for the machines. */
const HOSTS = { web1: '127.0.0.1', web2: '127.0.0.2', worker: '127.0.0.3', executor: '127.0.0.4' };
export const WELL = { web1: [200, 200], web2: [200, 200], worker: [200, 200], executor: [200, 200] };

/**
 * Opens the servers and makes the settings of a shop whose processes are on machines of their own: each is started by
 * its own command, with nothing but an environment, on an address of its own.
 * @param {{ dir: string, root?: string, uid?: number, gid?: number, settings?: Record<string, string> }} options `dir`: a
 *   folder for the servers, which `close` deletes; `root`: what the processes run from; `uid`, `gid`: who runs them;
 *   `settings`: of web and worker, instead of the usual ones
 */
export async function openShopOfRoles({ dir, root = checkout, uid, gid, settings = {} }) {
  const reaper = startReaper(dir);
  const onSpawn = (child) => reaper.watch(child.pid);
  const secrets = newSecrets();
  const binary = await ensureRedis();
  const ports = { postgres: await anyFreePort(), redis: await anyFreePort() };
  const logOf = (name) => join(dir, `${name}.log`);
  const open = {
    postgres: () =>
      startPostgres({
        dir: join(dir, 'postgres'),
        port: ports.postgres,
        password: secrets.POSTGRES_PASSWORD,
        logFile: logOf('postgres'),
        onSpawn,
      }),
    redis: () =>
      startRedis({ binary, dir: join(dir, 'redis'), port: ports.redis, logFile: logOf('redis'), onSpawn }),
  };
  const stores = { postgres: await open.postgres(), redis: await open.redis() };
  const [mailDir, mediaDir] = ['mail', 'media'].map((name) => join(dir, name));
  for (const each of [mailDir, mediaDir]) {
    mkdirSync(each);
    if (uid !== undefined) chownSync(each, uid, gid ?? uid);
  }
  const parts = await placeParts();
  const shared = giveSettings(parts, { stores, secrets, mailDir, mediaDir, settings });

  /**
   * Starts a command as npm does, without npm around it: then the process that gets our signal is the role itself.
   * @param {string} name @param {Record<string, string>} env @param {string[]} [args]
   * @param {string} [from] the folder of another release
   */
  function start(name, env, args = [], from = root) {
    const { scripts } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
    const argv = [...scripts[name].split(' ').slice(2), ...args];
    return collect(spawn(process.execPath, argv, { cwd: from, env: cleanEnv(process.env, env), uid, gid }));
  }

  function collect(child) {
    onSpawn(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    const ended = new Promise((done) => child.once('close', (code, signal) => done(code ?? signal)));
    return { child, ended, output: () => output };
  }

  return {
    stores,
    shared,
    parts,
    start,
    /** Runs a command to its end; it has to succeed. @returns what it printed. */
    async run(name, env, args, from) {
      const { ended, output } = start(name, env, args, from);
      expect(await ended, output()).toBe(0);
      return output();
    },
    /** Writes the demo's sales, from the checkout: a shop that is no demo has no command for it. */
    async seed() {
      const argv = ['--import', 'tsx', '--conditions=react-server', 'scripts/seed.ts'];
      const options = { cwd: checkout, env: cleanEnv(process.env, shared) };
      const { ended, output } = collect(spawn(process.execPath, argv, options));
      expect(await ended, output()).toBe(0);
    },
    startParts() {
      for (const name of Object.keys(parts)) this.startPart(name);
    },
    /** @param {string} name of a part @param {string} [from] the folder of another release */
    startPart(name, from) {
      const part = parts[name];
      Object.assign(part, { from }, start(name.replace(/\d$/, ''), part.env, [], from));
    },
    /** Sends a part SIGTERM. @returns its exit code, or the signal that ended it */
    stopPart(name) {
      const { child, ended } = parts[name];
      child.kill('SIGTERM');
      return ended;
    },
    /** @param {'postgres' | 'redis'} name */
    async reopen(name) {
      stores[name] = await open[name]();
    },
    /** Asks every process how it is: the two statuses of each, and what it misses. */
    async health() {
      const asked = Object.entries(parts).map(async ([name, { origin }]) => {
        const [alive, ready] = await Promise.all(['/livez', '/readyz'].map((path) => fetch(origin + path)));
        const { ready: _, ...checks } = await ready.json();
        const missing = Object.entries(checks).flatMap(([what, { ok }]) => (ok ? [] : [what]));
        return [name, [alive.status, ready.status, ...missing]];
      });
      return Object.fromEntries(await Promise.all(asked));
    },
    /** Sends every process SIGTERM; each has to end by itself. @returns {Promise<number>} after how many ms of ours. */
    async stopParts() {
      const tookMs = startStopwatch();
      for (const { child } of Object.values(parts)) child.kill('SIGTERM');
      for (const [name, { ended, output }] of Object.entries(parts))
        expect(await ended, `${name}: ${output().slice(-2_000)}`).toBe(0);
      return tookMs();
    },
    async close() {
      for (const { child } of Object.values(parts)) if (child && !hasEnded(child)) child.kill('SIGKILL');
      await Promise.all(Object.values(stores).map(({ child }) => stopChild(child, { signal: 'SIGKILL' })));
      rmSync(dir, { recursive: true, force: true });
      reaper.dismiss();
    },
  };
}

async function placeParts() {
  const placed = Object.entries(HOSTS).map(async ([name, host]) => {
    const port = String(await anyFreePort());
    return [name, { host, port, origin: `http://${host}:${port}` }];
  });
  return Object.fromEntries(await Promise.all(placed));
}

/** Gives each part the settings that docs/SETTINGS.md names for its role. @returns those of web and worker. */
function giveSettings(parts, { stores, secrets, mailDir, mediaDir, settings }) {
  const { POSTGRES_PASSWORD: _, INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY, ...own } = secrets;
  const { executor, worker, web1, web2 } = parts;
  executor.env = {
    DATABASE_URL: stores.postgres.url,
    INNGEST_EVENT_KEY,
    INNGEST_SIGNING_KEY,
    INNGEST_SERVE_ORIGIN: web2.origin,
    EXECUTOR_HOST: executor.host,
    EXECUTOR_PORT: executor.port,
  };
  const { EXECUTOR_HOST: _host, ...known } = executor.env;
  const shared = {
    ...known,
    ...own,
    REDIS_URL: stores.redis.url,
    INNGEST_BASE_URL: executor.origin,
    MAIL_DIR: mailDir,
    MEDIA_DIR: mediaDir,
    SECKILL_DEMO: '1',
    ...settings,
  };
  worker.env = { ...shared, METRICS_HOST: worker.host, METRICS_PORT: worker.port };
  for (const web of [web1, web2])
    web.env = { NEXTAUTH_URL: web.origin, ...shared, SECKILL_HOST: web.host, PORT: web.port };
  return shared;
}

/**
 * Buys one unit at each web process, with tokens for load tests, and waits until each order is written.
 * @param {Awaited<ReturnType<typeof openShopOfRoles>>} shop
 * @param {(ask: () => Promise<void>) => Promise<void>} untilPasses asks again until it passes
 */
export async function buyAtBoth({ parts, shared }, untilPasses, { runNpm, out }) {
  const { sales } = await (await fetch(`${parts.web1.origin}/api/sales`)).json();
  const { saleId } = sales.find(({ status }) => status === 'live');
  const made = await runNpm('loadtest:tokens', ['--sale', saleId, '--users', '2', '--out', out], shared);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const tokens = readFileSync(out, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const buy = async ({ entryToken }, at) => {
    const { origin } = parts[`web${at + 1}`];
    const headers = { 'x-entry-token': entryToken };
    let answer;
    await untilPasses(async () => {
      // A process that has just begun, or that stood still, may ask to come back: with the same token it's the same order.
      const { gate } = await (await fetch(`${origin}/api/sales/${saleId}/state`)).json();
      const url = `${origin}/api/sales/${saleId}/purchase/${gate}`;
      const bought = await fetch(url, { method: 'POST', headers });
      answer = await bought.json();
      expect(bought.status, JSON.stringify(answer)).toBe(202);
    });
    await untilPasses(async () => {
      // Until Postgres has it, it is queued.
      const order = await (await fetch(`${origin}/api/orders/${answer.orderNo}`, { headers })).json();
      expect(order).toMatchObject({ orderNo: answer.orderNo, status: 'pending_payment' });
    });
  };
  await Promise.all(tokens.map(buy));
}
