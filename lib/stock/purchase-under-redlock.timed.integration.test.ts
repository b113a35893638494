import { afterAll, beforeAll, expect, it } from 'vitest';
import { env } from '@/lib/env';
import { newId } from '@/lib/ids/new-id';
import { closeRedis } from '@/lib/redis/client';
import { eventually } from '@/test/support/eventually';
import { startNodes, type TestNodes } from '@/test/support/start-lock-nodes';
import { purchaseUnderLock } from './purchase-under-lock';
import { openSale, purchaseOf } from './testing/open-sale';

/**
 * Tests the lock strategy with its locks on five servers, as `LOCK_REDIS_URLS` sets it. The stock stays on its own
 * server.
 */
let servers: TestNodes;

beforeAll(async () => {
  servers = await startNodes(5);
  process.env.LOCK_REDIS_URLS = servers.urls.join(',');
  expect(env().lockRedisUrls).toEqual(servers.urls);
});
afterAll(async () => {
  await closeRedis();
  await servers.stop();
});

it('[D4] two servers that answer nothing slow the first purchases down, not the others', async () => {
  const saleId = await openSale({ total: 200 });
  servers.freeze(1);
  servers.freeze(4);
  try {
    await eventually(async () => {
      const askedAt = performance.now();
      expect(await purchaseUnderLock(purchaseOf(saleId, newId('usr')))).toMatchObject({ status: 'accepted' });
      expect(performance.now() - askedAt).toBeLessThan(100);
    });
  } finally {
    servers.thaw(1);
    servers.thaw(4);
  }
});
