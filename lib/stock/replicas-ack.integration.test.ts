import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lookUpOrder } from '@/lib/checkout/order/find-order';
import { decideWaiting } from '@/lib/checkout/queue/decide-waiting';
import { shop, startCrowd } from '@/lib/checkout/testing/crowd';
import { createSaleFixture } from '@/lib/checkout/testing/sale-fixture';
import { closeDb, db } from '@/lib/db/client';
import { isOutage } from '@/lib/errors/is-outage';
import { releaseOrderNos } from '@/lib/order/issue-order-no';
import { closeRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { forgetSaleInfo } from '@/lib/sale/find-sale-info';
import { bestOf } from '@/test/support/best-of';
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
  const sale = await createSaleFixture({ total: 200, users: 200 });
  const [first = '', second = '', ...others] = sale.userIds;
  // Half a second may pass before the replica has it on a machine that stands still, also below.
  await expect.poll(() => shop(sale, first), { interval: 100 }).toMatchObject({ http: 202 });
  sentinels.freeze(1);
  try {
    const refuse = async () => {
      const askedAt = performance.now();
      for (const { http, code } of await Promise.all([shop(sale, second), shop(sale, first)]))
        expect([http, code]).toEqual([503, 'STOCK_UNAVAILABLE']);
      return performance.now() - askedAt;
    };
    expect(await bestOf(3_000, refuse)).toBeLessThan(3_000);
  } finally {
    sentinels.thaw(1);
  }
  await expect.poll(() => shop(sale, second), { interval: 100 }).toMatchObject({ http: 202, replay: true });
  await expect
    .poll(() => shop(sale, others.pop() ?? ''), { interval: 500 })
    .toMatchObject({ http: 202, replay: false });
});

it('[C10] what a queue has decided is told once a replica has it, accepted or refused, and not before', async () => {
  const sale = await createSaleFixture({ total: 1, users: 2 });
  await db().sale.update({ where: { id: sale.saleId }, data: { strategy: 'queue' } });
  await forgetSaleInfo(sale.saleId);
  const [first = '', second = ''] = sale.userIds;
  const asked = [await shop(sale, first), await shop(sale, second)];
  expect(asked.map(({ http }) => http)).toEqual([202, 202]);
  const lookUp = (at: number) =>
    lookUpOrder({ userId: sale.userIds[at] as string, saleId: sale.saleId }, asked[at]?.orderNo as string);
  // Undecided is no promise: that is told at once.
  expect(await lookUp(0)).toMatchObject({ status: 'found', order: { status: 'undecided' } });
  sentinels.freeze(1);
  try {
    expect(await decideWaiting(sale)).toBe(2);
    for (const at of [0, 1]) await expect(lookUp(at)).rejects.toSatisfy(isOutage);
  } finally {
    sentinels.thaw(1);
  }
  await expect
    .poll(() => lookUp(0).catch(() => null), { interval: 100 })
    .toMatchObject({ order: { status: 'queued' } });
  await expect
    .poll(() => lookUp(1).catch(() => null), { interval: 100 })
    .toMatchObject({ status: 'refused', result: { status: 'sold_out' } });
});

it('[K1] every purchase that was answered 202 is on the replica when the primary is killed', async () => {
  const sale = await createSaleFixture({ total: 900, users: 900 });
  const crowd = startCrowd(sale);
  const accepted = () => crowd.replies.filter(({ http }) => http === 202);
  await expect.poll(() => accepted().length, { interval: 20 }).toBeGreaterThan(20);
  const killedAt = performance.now();
  await sentinels.kill(0);
  await delay(100);
  // Nothing else has told the replica of them yet: it is promoted in two seconds at the earliest.
  const onReplica = await sentinels.admin(1).hgetall(keys.buyers(sale.saleId));
  await crowd.stop();
  // Whoever asked later may have bought at the replica, once it was promoted.
  const early = accepted().filter(({ at }) => at < killedAt);
  expect(early.length).toBeGreaterThan(20);
  for (const { userId, orderNo } of early) expect(onReplica[userId]).toContain(orderNo);
});
