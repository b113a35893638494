import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { sessionCookieName } from '@/lib/account/sessions/session-token';
import { db } from '@/lib/db/client';
import { rawGet } from '@/lib/server/testing/raw-get';
import { type FastPathProcess, startFastPath } from '@/lib/server/testing/start-fast-path';
import { type Link, openLink } from '@/tools/harness/stack/link';
import { findRedis } from '../../scripts/infra/find-server.mjs';
import { anyFreePort } from '../../scripts/infra/ports.mjs';
import { startReaper } from '../../scripts/infra/reaper.mjs';
import { startRedis } from '../../scripts/infra/redis.mjs';

export type ShopBehindLinks = {
  redis: Link;
  postgres: Link;
  /** The database role of the web process alone: refusing it connections does not disturb other tests. */
  role: string;
  fastPath: FastPathProcess;
  /**
   * Asks as the page of a signed-in shopper does, again and as late as the answer says, until there is another answer than
   * "ask again". @param cookie of the session. @param tries counts them. @throws when an answer is not for a shopper's eyes
   */
  ask(path: string, cookie: string, method: 'GET' | 'POST', tries?: Tries): Promise<Answer>;
  stop(): Promise<void>;
};
type Tries = { again: number; longestMs: number };
type Answer = { status: number; body: ReturnType<typeof JSON.parse> };

/**
 * For tests: starts a Redis of its own and a real web process that reaches its servers through links which the test
 * can break. The test's own connections bypass the links. Call it before anything opens a connection to Redis.
 * @param script that the web process runs, see `startFastPath`
 */
export async function openShopBehindLinks(script?: string): Promise<ShopBehindLinks> {
  const dir = mkdtempSync(join(tmpdir(), 'seckill-faults-'));
  const reaper = startReaper(dir);
  const role = `fastpath_${process.pid}`;
  const server = await startRedis({
    binary: findRedis({}),
    dir: join(dir, 'redis'),
    port: await anyFreePort(),
    logFile: join(dir, 'redis.log'),
    settings: { appendonly: 'yes', save: '' },
    onSpawn: (child) => reaper.watch(child.pid),
  });
  process.env.REDIS_URL = server.url;
  await db().$executeRawUnsafe(
    `CREATE ROLE ${role} LOGIN PASSWORD '${role}' IN ROLE pg_read_all_data, pg_write_all_data`,
  );
  const ownUrl = Object.assign(new URL(process.env.DATABASE_URL ?? ''), { username: role, password: role });
  const [redis, postgres] = await Promise.all([openLink(server.url), openLink(ownUrl.href)]);
  const fastPath = await startFastPath({ script, env: { REDIS_URL: redis.url, DATABASE_URL: postgres.url } });
  return {
    redis,
    postgres,
    role,
    fastPath,
    ask: (...asked) => askPatiently(fastPath.origin, ...asked),
    async stop() {
      await fastPath.stop();
      await db().$executeRawUnsafe(`DROP ROLE ${role}`);
      await Promise.all([redis.stop(), postgres.stop()]);
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
      reaper.dismiss();
    },
  };
}

async function askPatiently(
  origin: string,
  path: string,
  cookie: string,
  method: 'GET' | 'POST',
  tries: Tries = { again: 0, longestMs: 0 },
): Promise<Answer> {
  const own = { cookie: `${sessionCookieName()}=${cookie}`, 'sec-fetch-site': 'same-origin' };
  const headers = { ...own, ...(method === 'POST' ? { 'content-type': 'application/json' } : {}) };
  for (;;) {
    const askedAt = performance.now();
    const reply = await rawGet(`${origin}${path}`, headers, { method });
    tries.longestMs = Math.max(tries.longestMs, performance.now() - askedAt);
    const text = reply.body.toString();
    expect(text).not.toMatch(/redis|postgres|prisma|ECONN|at \w+ \(/i);
    if (reply.status !== 503) return { status: reply.status, body: JSON.parse(text) };
    expect(JSON.parse(text).code).toMatch(/^(STOCK_)?UNAVAILABLE$/);
    const [, seconds] = /^([1-9]\d?)$/.exec(String(reply.headers['retry-after'])) ?? [];
    tries.again += 1;
    await delay(Number(seconds) * 1_000);
  }
}
