import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { createSaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { startNodes, type TestNodes } from '@/test/support/start-lock-nodes';
import { rawGet } from './testing/raw-get';
import { sendPurchase, tokenFor } from './testing/send-purchase';
import { type FastPathProcess, startFastPath } from './testing/start-fast-path';

let cache: TestNodes;
let web: FastPathProcess;
beforeAll(async () => {
  cache = await startNodes(1);
  web = await startFastPath({
    env: { CACHE_REDIS_URL: `redis://127.0.0.1:${cache.nodes[0]?.options.port}` },
  });
});
afterAll(async () => {
  await web.stop();
  await Promise.all([closeRedis(), closeDb()]);
  await cache.stop();
});

it('[C9] stock on a Redis of its own: it holds nothing else, and sells on when the other one dies', async () => {
  const sale = await createSaleFixture({ total: 100 });
  const state = () => rawGet(`${web.origin}/api/sales/${sale.saleId}/state`);
  const buy = async (name: string) =>
    (await sendPurchase(web.origin, sale, tokenFor(sale.saleId, name))).status;
  expect((await state()).status).toBe(200);
  expect(await buy('before')).toBe(202);
  expect(await cache.nodes[0]?.exists(keys.saleInfo(sale.saleId))).toBe(1);
  expect(await stockRedis().exists(keys.saleInfo(sale.saleId))).toBe(0);
  expect(await cache.nodes[0]?.keys(`sale:*`)).toEqual([]);

  await cache.kill(0);
  // A process keeps what it knows of a sale for a second; then it has to work without that cache.
  const bought: number[] = [];
  const from = Date.now();
  for (let n = 0; Date.now() - from < 2_500 && n < 90; n += 1) {
    bought.push(await buy(`after_${n}`));
    expect((await state()).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  expect(new Set(bought)).toEqual(new Set([202]));
  expect(Number(await stockRedis().hget(keys.sale(sale.saleId), 'held'))).toBe(bought.length + 1);
});
