import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { env } from '@/lib/env';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { eventually } from '@/test/support/eventually';
import { anyFreePort } from '../../scripts/infra/ports.mjs';
import { rawGet } from './testing/raw-get';
import { startStallableProxy } from './testing/stallable-proxy';
import { type FastPathProcess, startFastPath } from './testing/start-fast-path';

const ok = { ok: true };

let web: FastPathProcess | undefined;
afterEach(async () => {
  web?.child.kill('SIGKILL');
  web = undefined;
});
afterAll(() => Promise.all([closeRedis(), closeDb()]));

async function readiness() {
  const { status, headers, body } = await rawGet(`${web?.origin}/readyz`);
  return { status, retryAfter: headers['retry-after'], ...JSON.parse(body.toString()) };
}

describe('/readyz', () => {
  it('[L1] is answered without Next, and costs the stores one question a second however many ask', async () => {
    web = await startFastPath({ env: { EXECUTOR_PORT: '' } });
    await eventually(async () => expect(await readiness()).toMatchObject({ ready: true }), 100);
    const pings = async () =>
      Number(/cmdstat_ping:calls=(\d+)/.exec(await stockRedis().info('commandstats'))?.[1] ?? 0);
    const [before, from] = [await pings(), performance.now()];
    for (let round = 0; round < 10; round += 1) {
      for (const answer of await Promise.all(Array.from({ length: 50 }, readiness)))
        expect(answer).toEqual({
          status: 200,
          ready: true,
          redis: ok,
          postgres: ok,
          executor: ok,
          orderNumbers: ok,
        });
    }
    const seconds = (performance.now() - from) / 1_000;
    // ioredis sends a ping of its own now and then.
    expect((await pings()) - before).toBeLessThanOrEqual(3 + 2 * seconds);
    const alive = await rawGet(`${web.origin}/livez`);
    expect([alive.status, alive.body.toString()]).toEqual([200, 'ok\n']);
  });

  it('[N8] names what is missing by a word, and tells nothing else of it', async () => {
    const executor = createServer((_, response) => response.end('{"functions":0}')).listen(0, '127.0.0.1');
    const postgres = await startStallableProxy(env().databaseUrl);
    const redis = await startStallableProxy(env().redisUrl);
    web = await startFastPath({
      env: {
        DATABASE_URL: postgres.url,
        REDIS_URL: redis.url,
        CACHE_REDIS_URL: redis.url,
        INNGEST_BASE_URL: `http://127.0.0.1:${(executor.address() as AddressInfo).port}`,
      },
    });
    const away = { status: 503, retryAfter: '1', ready: false };
    await eventually(
      async () =>
        expect(await readiness()).toEqual({
          ...away,
          redis: ok,
          postgres: ok,
          executor: { ok: false, problem: 'not_ready' },
          orderNumbers: ok,
        }),
      100,
    );
    redis.stall();
    await eventually(
      async () => expect((await readiness()).redis).toEqual({ ok: false, problem: 'timeout' }),
      100,
    );
    redis.resume();
    await postgres.stop();
    await eventually(
      async () => expect((await readiness()).postgres).toEqual({ ok: false, problem: 'unreachable' }),
      100,
    );
    executor.close();
    executor.closeAllConnections();
    await redis.stop();
  });

  it('[J4 N8 P11] names a Postgres that takes no writes, and is ready again when it does', async () => {
    const client = new pg.Client({
      connectionString: env().databaseUrl,
      options: '-c default_transaction_read_only=off',
    });
    await client.connect();
    const setReadOnly = async (value: 'on' | 'DEFAULT') => {
      await client.query(
        `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = ${value}', current_database()); END $$`,
      );
      // A setting of a database holds for new connections only.
      await client.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
    };
    web = await startFastPath({ env: { EXECUTOR_PORT: '' } });
    await eventually(async () => expect(await readiness()).toMatchObject({ ready: true }), 100);
    await setReadOnly('on');
    await eventually(
      async () =>
        expect(await readiness()).toMatchObject({
          status: 503,
          retryAfter: '1',
          postgres: { ok: false, problem: 'read_only' },
        }),
      100,
    );
    await setReadOnly('DEFAULT');
    await eventually(async () => expect(await readiness()).toMatchObject({ ready: true }), 100);
    await client.end();
  });

  it('[N8] says so, too, when nothing was ever there', async () => {
    const nowhere = await anyFreePort();
    web = await startFastPath({
      env: {
        DATABASE_URL: `postgres://secret-user:secret-word@127.0.0.1:${nowhere}/secret`,
        INNGEST_BASE_URL: `http://127.0.0.1:${nowhere}`,
      },
    });
    const { body } = await rawGet(`${web.origin}/readyz`);
    expect(JSON.parse(body.toString())).toEqual({
      ready: false,
      redis: ok,
      postgres: { ok: false, problem: 'unreachable' },
      executor: { ok: false, problem: 'unreachable' },
      orderNumbers: ok,
    });
    expect(body.toString()).not.toMatch(/secret|127\.0|Error|connect/i);
  });
});
