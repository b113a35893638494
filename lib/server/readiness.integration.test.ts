import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { env } from '@/lib/env';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { anyFreePort } from '../../scripts/infra/ports.mjs';
import { rawGet } from './testing/raw-get';
import { startStallableProxy } from './testing/stallable-proxy';
import { type FastPathProcess, startFastPath } from './testing/start-fast-path';

const PATIENCE = { timeout: 30_000, interval: 100 };
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
    await vi.waitFor(async () => expect(await readiness()).toMatchObject({ ready: true }), PATIENCE);
    const pings = async () =>
      Number(/cmdstat_ping:calls=(\d+)/.exec(await stockRedis().info('commandstats'))?.[1] ?? 0);
    const [before, from] = [await pings(), performance.now()];
    for (let round = 0; round < 10; round += 1) {
      // A store that a busy machine keeps waiting counts as silent for a second.
      await vi.waitFor(async () => {
        for (const answer of await Promise.all(Array.from({ length: 50 }, readiness)))
          expect(answer).toEqual({
            status: 200,
            ready: true,
            redis: ok,
            postgres: ok,
            executor: ok,
            orderNumbers: ok,
          });
      }, PATIENCE);
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
    await vi.waitFor(
      async () =>
        expect(await readiness()).toEqual({
          ...away,
          redis: ok,
          postgres: ok,
          executor: { ok: false, problem: 'not_ready' },
          orderNumbers: ok,
        }),
      PATIENCE,
    );
    redis.stall();
    await vi.waitFor(
      async () => expect((await readiness()).redis).toEqual({ ok: false, problem: 'timeout' }),
      PATIENCE,
    );
    redis.resume();
    await postgres.stop();
    await vi.waitFor(
      async () => expect((await readiness()).postgres).toEqual({ ok: false, problem: 'unreachable' }),
      PATIENCE,
    );
    executor.close();
    executor.closeAllConnections();
    await redis.stop();
  });

  it('[N8] says so, too, when nothing was ever there', async () => {
    const nowhere = await anyFreePort();
    web = await startFastPath({
      env: {
        DATABASE_URL: `postgres://secret-user:secret-word@127.0.0.1:${nowhere}/secret`,
        INNGEST_BASE_URL: `http://127.0.0.1:${nowhere}`,
      },
    });
    let text = '';
    await vi.waitFor(async () => {
      text = (await rawGet(`${web?.origin}/readyz`)).body.toString();
      expect(JSON.parse(text)).toEqual({
        ready: false,
        redis: ok,
        postgres: { ok: false, problem: 'unreachable' },
        executor: { ok: false, problem: 'unreachable' },
        orderNumbers: ok,
      });
    }, PATIENCE);
    expect(text).not.toMatch(/secret|127\.0|Error|connect/i);
  });
});
