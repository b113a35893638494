import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { shop, startCrowd } from '@/lib/purchase/testing/crowd';
import { createSaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { startSentinels, type TestSentinels } from '@/test/support/start-sentinels';

let sentinels: TestSentinels;

beforeAll(async () => {
  sentinels = await startSentinels();
  Object.assign(process.env, { REDIS_URL: sentinels.url, STOCK_REPLICAS_ACK: '1' });
});
afterAll(async () => {
  delete process.env.STOCK_REPLICAS_ACK;
  await releaseOrderNos().catch(() => undefined);
  await closeRedis();
  await closeDb();
  await sentinels.stop();
});

it('[K1] a purchase that no replica has is not answered 202; asked again with the same token it is, once one has it', async () => {
  const sale = await createSaleFixture({ total: 10, users: 3 });
  const [first = '', second = '', third = ''] = sale.userIds;
  expect(await shop(sale, first)).toMatchObject({ http: 202 });
  sentinels.freeze(1);
  try {
    const askedAt = performance.now();
    for (const { http, code } of await Promise.all([shop(sale, second), shop(sale, first)]))
      expect([http, code]).toEqual([503, 'STOCK_UNAVAILABLE']);
    expect(performance.now() - askedAt).toBeLessThan(3_000);
  } finally {
    sentinels.thaw(1);
  }
  await expect.poll(() => shop(sale, second), { interval: 100 }).toMatchObject({ http: 202, replay: true });
  expect(await shop(sale, third)).toMatchObject({ http: 202, replay: false });
});

it('[K1] every purchase that was answered 202 is on the replica when the primary is killed', async () => {
  const sale = await createSaleFixture({ total: 900, users: 900 });
  const crowd = startCrowd(sale);
  await expect.poll(() => crowd.replies.length, { interval: 20 }).toBeGreaterThan(20);
  await sentinels.kill(0);
  await delay(100);
  // Nothing else has told the replica of them yet: it is promoted in two seconds at the earliest.
  const onReplica = await sentinels.admin(1).hgetall(keys.buyers(sale.saleId));
  await crowd.stop();
  const accepted = crowd.replies.filter(({ http }) => http === 202);
  expect(accepted.length).toBeGreaterThan(20);
  for (const { userId, orderNo } of accepted) expect(onReplica[userId]).toContain(orderNo);
});
