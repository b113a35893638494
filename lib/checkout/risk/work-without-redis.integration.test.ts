import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { refreshRisk, stopWatchingRisk, watchRisk } from '@/lib/risk/watch-risk';
import { makeSale, makeUser } from '@/test/support/make-sale';
import { startNodes, type TestNodes } from '@/test/support/start-lock-nodes';
import { issueEntry } from '../entry/issue-entry';
import { workOf } from './work-of';

/** This file's own Redis, which the test kills. */
let redis: TestNodes;
beforeAll(async () => {
  redis = await startNodes(1);
  process.env.REDIS_URL = `redis://127.0.0.1:${redis.nodes[0]?.options.port}`;
  expect(await cacheRedis().ping()).toBe('PONG');
  await watchRisk();
  await refreshRisk();
});
afterAll(async () => {
  stopWatchingRisk();
  await Promise.all([closeRedis(), closeDb()]);
  await redis.stop();
});

it('[M9 G14] while Redis is dead nobody is asked for a calculation that could not be given out', async () => {
  const { sale } = await makeSale({ strategy: 'database' });
  const device = newId('device');
  const bot = async () => ({
    ...(await makeUser()),
    address: null,
    device,
    createdAt: Date.now(),
    emailVerifiedAt: null,
    hasSecondFactor: false,
  });
  for (let n = 0; n < 3; n += 1) expect(await workOf(sale.saleId, await bot())).toBeNull();
  expect(await workOf(sale.saleId, await bot())).toBe(8);
  expect(await issueEntry(sale.saleId, await bot())).toEqual({ status: 'challenge_required', kind: 'pow' });
  await redis.kill(0);
  expect(await workOf(sale.saleId, await bot())).toBeNull();
  expect((await issueEntry(sale.saleId, await bot())).status).toBe('entered');
});
