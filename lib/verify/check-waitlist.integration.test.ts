import { afterAll, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import { buy, createSaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { createOrders } from '@/lib/settlement/create-orders';
import { joinWaitlist } from '@/lib/waitlist/join-waitlist';
import { leaveInRedis } from '@/lib/waitlist/records/leave-in-redis';
import { checkWaitlist } from './check-waitlist';
import { Findings } from './findings';
import { verifySale } from './verify-sale';

afterAll(async () => {
  await releaseOrderNos();
  await Promise.all([closeRedis(), closeDb()]);
});

it('[M2] verify finds nothing wrong with a place that a request gave up in Redis, and broke off', async () => {
  const sale = await createSaleFixture({ total: 1, users: 2, waitlist: true });
  const { saleId, userIds } = sale;
  const [first = '', second = ''] = userIds;
  await buy(sale, first);
  await drainOutbox(saleId);
  const info = await findSaleInfo(saleId);
  if (info) await joinWaitlist(info, { userId: second, jti: newId('jti') });
  await leaveInRedis(saleId, second);
  const findings = new Findings();
  await checkWaitlist(saleId, 0, findings);
  expect(findings.statements(6)).toEqual([]);
  expect((await verifySale(saleId, { settleMs: 0 }))?.ok).toBe(true);
});

it('[M2] verify finds each kind of fault of a waitlist, and none where there is none', async () => {
  const sale = await createSaleFixture({ total: 1, users: 5, waitlist: true });
  const { saleId, userIds } = sale;
  const [, second = '', third = '', fourth = ''] = userIds;
  await buy(sale, userIds[0] as string);
  await drainOutbox(saleId);
  for (const userId of [second, third, fourth]) {
    const info = await findSaleInfo(saleId);
    if (info) await joinWaitlist(info, { userId, jti: newId('jti') });
  }
  const redis = stockRedis();
  const [waitlist, places] = [keys.waitlist(saleId), keys.places(saleId)];
  const look = async () => {
    const findings = new Findings();
    await checkWaitlist(saleId, 0, findings);
    return findings.statements(6).map(({ code }) => code);
  };
  expect(await look()).toEqual([]);
  expect((await verifySale(saleId, { settleMs: 0 }))?.ok).toBe(true);
  await redis.hset(keys.sale(saleId), 'available', 1);
  expect(await look()).toEqual(['units_idle']);
  await redis.hset(keys.sale(saleId), 'available', 0);
  const place = (await redis.hget(places, third)) ?? '';
  await redis.zrem(waitlist, third);
  await redis.hdel(places, third);
  expect(await look()).toEqual(['place_lost']);
  await redis.zadd(waitlist, '1', third);
  await redis.hset(places, third, place);
  expect(await look()).toEqual(expect.arrayContaining(['place_twice', 'place_unknown']));
  await redis.zadd(waitlist, '2', third);
  expect(await look()).toEqual([]);
  await redis.zadd(waitlist, '9', userIds[4] as string);
  expect(await look()).toEqual(['place_unknown']);
  await redis.zrem(waitlist, userIds[4] as string);
  // The last of the line has an order, the first still waits.
  await db().sale.update({ where: { id: saleId }, data: { totalStock: 2 } });
  const last = await db().waitlistEntry.findFirstOrThrow({ where: { saleId, userId: fourth } });
  const { orderNo, jti } = last;
  await createOrders({
    saleId,
    orders: [
      {
        orderNo: String(orderNo),
        userId: fourth,
        jti,
        quantity: 1,
        epoch: sale.epoch,
        acceptedAt: Date.now(),
      },
    ],
  });
  expect(await look()).toEqual(['passed_over']);
});
