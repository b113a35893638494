import { afterAll, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { createOrderFixture, topicsOf } from '@/lib/purchase/testing/order-fixture';
import { payFor } from '@/lib/purchase/testing/pay-for';
import { closeRedis } from '@/lib/redis/client';
import { remindUnpaid } from './remind-unpaid';

afterAll(async () => {
  await closeRedis();
  await closeDb();
});

/** Moves an order's payment window so that `leftSec` of its `windowSec` are left. */
const setWindow = (orderNo: string, windowSec: number, leftSec: number) =>
  db().$executeRaw`
    UPDATE orders SET pay_by = now() + make_interval(secs => ${leftSec}::int),
                      created_at = now() - make_interval(secs => ${windowSec - leftSec}::int)
    WHERE id = ${BigInt(orderNo)}`;

it('[I7] reminds once, in the shop and by mail, when a third of the time is left and at most 5 minutes', async () => {
  const orders = [];
  for (const [windowSec, leftSec] of [
    [900, 299],
    [900, 340],
    [600, 199],
    [600, 240],
    [86_400, 299],
    [60, -1],
  ] as const) {
    const { orderNo } = await createOrderFixture();
    await setWindow(orderNo, windowSec, leftSec);
    orders.push(orderNo);
  }
  const paid = await createOrderFixture();
  await setWindow(paid.orderNo, 900, 100);
  await payFor(paid.orderNo);

  const counts = await Promise.all([remindUnpaid(), remindUnpaid(), remindUnpaid()]);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3);
  expect(await remindUnpaid()).toBe(0);
  const reminder = ['in-app payment_reminder', 'mail payment_reminder'];
  const told = await Promise.all(orders.map((orderNo) => topicsOf(orderNo)));
  expect(told).toEqual([reminder, [], reminder, [], reminder, []]);
  expect((await topicsOf(paid.orderNo)).join()).not.toContain('reminder');
});
