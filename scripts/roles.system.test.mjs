import { chmodSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runNpm } from '../test/support/run-npm.mjs';
import { buyAtBoth, openShopOfRoles, WELL } from '../test/support/shop-of-roles.mjs';
import { partArguments } from './infra/part-commands.mjs';

// The processes of a shop that spans machines, from outside.
const root = resolve(import.meta.dirname, '..');
const dir = mkdtempSync(join(tmpdir(), 'seckill-roles-'));
const untilPasses = (ask) => vi.waitFor(ask, { timeout: 240_000, interval: 100 });
/** @type {Awaited<ReturnType<typeof openShopOfRoles>>} */
let shop;

const expectHealth = (wanted) => untilPasses(async () => expect(await shop.health()).toEqual(wanted));

beforeAll(async () => {
  chmodSync(dir, 0o711);
  expect(await runNpm('build', [])).toMatchObject({ code: 0, stderr: '' });
  shop = await openShopOfRoles({ dir });
});
afterAll(() => shop?.close());

it('[K5] the commands start what npm start starts, in the same way', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const file = (name) => `.next/seckill-${name}.mjs`;
  const started = partArguments({ web: file('server'), worker: file('worker'), executor: file('executor') });
  for (const [role, args] of Object.entries(started)) {
    const line = ['exec', 'node', ...args.slice(0, -1), '--import', './scripts/before-role.mjs', args.at(-1)];
    expect(scripts[role]).toBe(line.join(' '));
  }
});

it('[K5] each role says in one sentence what it lacks, and ends', async () => {
  const { parts, shared, stores } = shop;
  const { executor, worker, web1 } = parts;
  const password = new URL(shared.DATABASE_URL).password;
  const taken = new URL(stores.redis.url).port;
  const cases = [
    ['executor', { ...executor.env, INNGEST_EVENT_KEY: '' }, /INNGEST_EVENT_KEY: is not set\n$/],
    [
      'executor',
      { ...executor.env, EXECUTOR_HOST: '0.0.0.0', INNGEST_EVENT_KEY: 'short' },
      /INNGEST_EVENT_KEY: must be a random key .* where EXECUTOR_HOST is not loopback\n$/,
    ],
    [
      'executor',
      { ...executor.env, EXECUTOR_HOST: '127.0.0.1', EXECUTOR_PORT: taken },
      new RegExp(`Port ${taken} at 127.0.0.1 is taken: set EXECUTOR_PORT to another port.\n$`),
    ],
    [
      'worker',
      { ...worker.env, DATABASE_URL: shared.DATABASE_URL.replace(password, 'wrong') },
      /the password or the user name is wrong/,
    ],
    ['worker', { ...worker.env, ENTRY_SECRET: 'secret'.repeat(9) }, /ENTRY_SECRET: looks like a default/],
    ['web', { ...web1.env, REDIS_URL: 'redis://127.0.0.1:9' }, /^Redis at 127.0.0.1:9 can't be used/],
    ['web', { ...web1.env, NEXTAUTH_SECRET: '' }, /NEXTAUTH_SECRET: is not set\n$/],
    ['migrate', { DATABASE_URL: '' }, /DATABASE_URL is not set\n$/],
  ];
  for (const [role, env, said] of cases) {
    const { ended, output } = shop.start(role, env);
    expect(await ended, role).toBe(1);
    expect(output(), role).toMatch(said);
    expect(output(), role).not.toContain('    at ');
  }
});

it('[K5] migrate, two web processes, a worker and an executor sell on addresses of their own, tell how they are, and end when told', async () => {
  const { parts, shared, stores } = shop;
  expect(await shop.run('migrate', { DATABASE_URL: shared.DATABASE_URL })).toContain('applied');
  await shop.seed();
  shop.startParts();
  await expectHealth(WELL);

  await buyAtBoth(shop, untilPasses, { runNpm, out: join(dir, 'tokens.jsonl') });
  const metrics = await (await fetch(`${parts.worker.origin}/metrics`)).text();
  expect(metrics).toContain('seckill_outbox_depth');

  await stores.redis.stop();
  const withoutRedis = [200, 503, 'redis'];
  await expectHealth({
    web1: withoutRedis,
    web2: withoutRedis,
    worker: withoutRedis,
    executor: [200, 200],
  });
  await shop.reopen('redis');
  await stores.postgres.stop();
  const withoutPostgres = [200, 503, 'postgres', 'executor'];
  await expectHealth({
    web1: withoutPostgres,
    web2: withoutPostgres,
    worker: withoutPostgres,
    executor: [200, 503, 'postgres'],
  });
  await shop.reopen('postgres');
  await expectHealth(WELL);
  // A busy machine only makes it slower: one stop of three has to be quick.
  let stopMs = await shop.stopParts();
  for (let more = 2; more > 0 && stopMs >= 10_000; more -= 1) {
    shop.startParts();
    await expectHealth(WELL);
    stopMs = Math.min(stopMs, await shop.stopParts());
  }
  expect(stopMs).toBeLessThan(10_000);
});
