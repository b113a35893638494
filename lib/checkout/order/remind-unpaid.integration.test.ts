import { afterAll, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { createOrderFixture, topicsOf } from '../testing/order-fixture';
import { payFor } from '../testing/pay-for';
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
  const windows = [
    [900, 299],
    [900, 340],
    [600, 199],
    [600, 240],
    [86_400, 299],
    [60, -1],
  ] as const;
  const orders: string[] = [];
  for (const _ of windows) orders.push((await createOrderFixture()).orderNo);
  const paid = await createOrderFixture();
  await setWindow(paid.orderNo, 900, 100);
  await payFor(paid.orderNo);
  // All at the end: on a slow machine those that are not due yet would be by then.
  await Promise.all(
    windows.map(([windowSec, leftSec], at) => setWindow(orders[at] ?? '', windowSec, leftSec)),
  );

  const counts = await Promise.all([remindUnpaid(), remindUnpaid(), remindUnpaid()]);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3);
  expect(await remindUnpaid()).toBe(0);
  const reminder = ['in-app payment_reminder', 'mail payment_reminder'];
  const told = await Promise.all(orders.map((orderNo) => topicsOf(orderNo)));
  expect(told).toEqual([reminder, [], reminder, [], reminder, []]);
  expect((await topicsOf(paid.orderNo)).join()).not.toContain('reminder');
});
