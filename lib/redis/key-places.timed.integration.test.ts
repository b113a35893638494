import type { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { shop } from '@/lib/purchase/testing/crowd';
import { readStock } from '@/lib/stock/read-stock';
import { makeSale } from '@/test/support/make-sale';
import { type StockRedis, startStockRedis } from '@/test/support/start-stock-redis';
import { cacheRedis, closeRedis } from './client';

let stock: StockRedis;
let cache: StockRedis;

beforeAll(async () => {
  [stock, cache] = await Promise.all([startStockRedis(), startStockRedis()]);
  Object.assign(process.env, { REDIS_URL: stock.url, CACHE_REDIS_URL: cache.url });
});
afterAll(async () => {
  await releaseOrderNos().catch(() => undefined);
  await Promise.all([closeRedis(), closeDb()]);
  await Promise.all([stock.stop(), cache.stop()]);
});

const LIMIT = { algorithm: 'fixed-window', limit: 1_000, windowSec: 600 };
const openedSale = async () => {
  const { sale, merchant } = await makeSale({
    totalStock: 100,
    challenge: 'arithmetic',
    limits: { ip: LIMIT, user: LIMIT, interface: LIMIT },
  });
  const { gate = '' } = (await readStock(sale.saleId)) ?? {};
  return { saleId: sale.saleId, gate, merchant };
};

it('[C9] losing the other Redis, its data or all of it, costs no purchase', async () => {
  const { saleId, gate } = await openedSale();
  const buy = async () => (await shop({ saleId, gate }, newId('user'), undefined, '192.0.2.9')).http;
  expect(await buy()).toBe(202);
  await (cacheRedis() as Redis).flushall();
  expect(await buy()).toBe(202);
  await cache.kill();
  const startedAt = performance.now();
  for (let n = 0; n < 20; n += 1) expect(await buy()).toBe(202);
  // None of them waited for it.
  expect((performance.now() - startedAt) / 20).toBeLessThan(500);
  expect(await readStock(saleId)).toMatchObject({ held: 22 });
});
