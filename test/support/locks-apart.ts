import { afterAll, beforeAll, expect } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { cacheRedis, closeRedis, stockRedis } from '@/lib/redis/client';
import { startNodes, type TestNodes } from './start-lock-nodes';

/**
 * For tests: gives locks a Redis of their own, as the lock strategy requires, until all tests of the file are done. Then it
 * closes every connection.
 */
export function giveLocksTheirOwnRedis(): void {
  let cache: TestNodes;
  beforeAll(async () => {
    cache = await startNodes(1);
    process.env.CACHE_REDIS_URL = cache.urls[0];
    expect(cacheRedis()).not.toBe(stockRedis());
  });
  afterAll(async () => {
    await Promise.all([closeRedis(), closeDb()]);
    await cache.stop();
  });
}
