import { afterAll, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { buyForAll, createSaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { createOrders } from '@/lib/settlement/create-orders';
import { listOpened } from './own-books';

afterAll(async () => {
  await closeRedis();
  await closeDb();
});

it('[I9 O4] a sale’s payments are read in the order in which they were opened: companies list them by time', async () => {
  const sale = await createSaleFixture({ users: 6, total: 6 });
  const orders = await buyForAll(sale, 6);
  await createOrders({ saleId: sale.saleId, orders });
  const ids = orders.map(({ orderNo }) => `pay_${orderNo}`);
  // The first to buy pays last.
  for (const [nth, id] of ids.entries())
    await db().$executeRaw`
      UPDATE payments SET opened_at = now() - make_interval(mins => ${nth}::int) WHERE id = ${id}`;
  expect(await listOpened(sale.saleId)).toEqual([{ provider: 'sandbox', paymentIds: ids.toReversed() }]);
});
