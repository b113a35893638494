import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { payOrder } from '@/lib/payment/pay-order';
import { MollieStandIn } from '@/lib/payment/providers/mollie/testing/mollie-stand-in';
import { createOrderFixture, standOf } from '@/lib/purchase/testing/order-fixture';
import { closeRedis } from '@/lib/redis/client';
import { POST as webhook } from './webhooks/[provider]/route';

const shop = new MollieStandIn();

beforeAll(() => shop.start());
afterAll(async () => {
  await shop.stop();
  await closeRedis();
  await closeDb();
});

const call = async (body: string) => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const request = new Request('http://shop.test/', { method: 'POST', headers, body });
  const answer = await webhook(request, { params: Promise.resolve({ provider: 'mollie' }) });
  return [answer.status, await answer.json()];
};

it('[O4 F5] a callback that anybody can send pays nothing that Mollie does not hold, and leaves no record of what is not ours', async () => {
  const order = await createOrderFixture();
  const opened = await payOrder(order.userId, order.orderNo);
  if (opened.status !== 'payable') throw new Error(opened.status);
  const page = shop.idOf(opened.redirectUrl);
  const before = await db().paymentEvent.count();
  for (const id of ['tr_nobody', 'tr_0'])
    expect(await call(`id=${id}`)).toEqual([200, { outcome: 'ignored' }]);
  expect(await call('id=nonsense')).toMatchObject([400, { code: 'MALFORMED' }]);
  expect(await call(`id=${'x'.repeat(70_000)}`)).toMatchObject([413, { code: 'TOO_LARGE' }]);
  expect(await db().paymentEvent.count()).toBe(before);
  expect(await call(`id=${page}&status=paid`)).toEqual([200, { outcome: 'ignored' }]);
  expect(await standOf(order.orderNo)).toBe('pending_payment, payment pending');
  shop.pay(page);
  expect(await call(`id=${page}`)).toEqual([200, { outcome: 'applied' }]);
  shop.sendBack(page, 500);
  expect(await call(`id=${page}`)).toEqual([200, { outcome: 'ignored' }]);
  expect(await standOf(order.orderNo)).toBe('paid, payment succeeded');
});
