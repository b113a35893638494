import { afterAll, expect, it } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { env } from '@/lib/env';
import { createSaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { readStock } from '@/lib/stock/read-stock';
import { fillBuyers, loadPurchaseScript } from './fill';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

it('[C1] the bench buys through the product’s own script', async () => {
  const sale = await createSaleFixture({ total: 10 });
  await fillBuyers(env().redisUrl, await loadPurchaseScript(), { ...sale, slug: 'lamp' }, 4);
  expect(await readStock(sale.saleId)).toMatchObject({ available: 6, held: 4 });
});
