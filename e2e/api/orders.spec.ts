import { expect, test } from '@playwright/test';
import { newShopper } from '../support/accounts';
import { Client } from '../support/client';
import { expectProblem } from '../support/problem';
import {
  availableOf,
  buy,
  enter,
  expectAvailable,
  expectOrder,
  gateOf,
  newSale,
  purchase,
} from '../support/sales';

const NOBODYS_ORDERS = ['0', '-1', '1.5', 'abc', '9'.repeat(18), '9'.repeat(19), '9'.repeat(40), '01'];

test('[E1] shows an order to its buyer and its token, and to nobody else', async () => {
  const [shopper, stranger, { saleId }, other] = await Promise.all([
    newShopper(),
    newShopper(),
    newSale(),
    newSale(),
  ]);
  const token = await enter(shopper, saleId);
  const { orderNo } = (await purchase(saleId, await gateOf(saleId), token)).body;
  const path = `/api/orders/${orderNo}`;
  await expectOrder(shopper, String(orderNo), 'pending_payment');

  const { status, headers, body } = await new Client().get(path, { headers: { 'x-entry-token': token } });
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toMatchObject({
    orderNo,
    saleId,
    quantity: 1,
    amountMinor: 4200,
    currency: 'EUR',
    status: 'pending_payment',
    payBy: expect.any(Number),
    serverTime: expect.any(Number),
    version: expect.any(Number),
  });
  expect(Number(body.payBy) - Number(body.serverTime)).toBeGreaterThan(800_000);
  expect(Number(body.payBy) - Number(body.serverTime)).toBeLessThanOrEqual(900_000);

  expectProblem(await new Client().get(path), 401, 'UNAUTHENTICATED');
  expectProblem(
    await new Client().get(path, { headers: { 'x-entry-token': 'nonsense' } }),
    401,
    'UNAUTHENTICATED',
  );
  expectProblem(await stranger.client.get(path), 404, 'ORDER_NOT_FOUND');
  const strangersToken = await enter(stranger, saleId);
  expectProblem(
    await new Client().get(path, { headers: { 'x-entry-token': strangersToken } }),
    404,
    'ORDER_NOT_FOUND',
  );
  const otherSales = await enter(shopper, other.saleId);
  expectProblem(
    await new Client().get(path, { headers: { 'x-entry-token': otherSales } }),
    404,
    'ORDER_NOT_FOUND',
  );
  for (const wrong of NOBODYS_ORDERS) {
    expectProblem(await shopper.client.get(`/api/orders/${wrong}`), 404, 'ORDER_NOT_FOUND');
  }
});

test('[E8] lists a shopper’s orders by pages, newest first', async () => {
  const [shopper, { saleId }] = await Promise.all([newShopper(), newSale({ limitPerUser: 3 })]);
  expect((await shopper.client.get('/api/orders')).body).toEqual({ orders: [], nextCursor: null });
  const bought = [await buy(shopper, saleId), await buy(shopper, saleId), await buy(shopper, saleId)];

  const seen: string[] = [];
  let cursor: unknown = '';
  do {
    const { body } = await shopper.client.get(`/api/orders?limit=1${cursor ? `&cursor=${cursor}` : ''}`);
    const orders = body.orders as { orderNo: string }[];
    expect(orders).toHaveLength(1);
    seen.push(...orders.map(({ orderNo }) => orderNo));
    cursor = body.nextCursor;
  } while (cursor);
  expect(seen).toEqual([...bought].reverse());

  for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=%00', 'cursor=AAAA', 'cursor=LTE']) {
    expectProblem(await shopper.client.get(`/api/orders?${query}`), 422, 'VALIDATION');
  }
  expectProblem(await new Client().get('/api/orders'), 401, 'UNAUTHENTICATED');
});

test('[C7] cancels an unpaid order once, and its stock can be bought again', async () => {
  const [shopper, stranger, { saleId }] = await Promise.all([
    newShopper(),
    newShopper(),
    newSale({ totalStock: 1 }),
  ]);
  const orderNo = await buy(shopper, saleId);
  const path = `/api/orders/${orderNo}/cancel`;
  expectProblem(await new Client().post(path), 401, 'UNAUTHENTICATED');
  expectProblem(await shopper.client.post(path, undefined, { isSameOrigin: false }), 403, 'CSRF');
  expectProblem(await stranger.client.post(path), 404, 'ORDER_NOT_FOUND');
  await expectAvailable(saleId, 0);

  const cancelled = await shopper.client.post(path);
  expect(cancelled.status, cancelled.text).toBe(200);
  expect(cancelled.body).toMatchObject({ orderNo, status: 'cancelled' });
  expectProblem(await shopper.client.post(path), 409, 'ORDER_NOT_CANCELLABLE');
  expectProblem(await shopper.client.post(`/api/orders/${orderNo}/pay`), 409, 'ORDER_NOT_PAYABLE');
  await expect.poll(() => availableOf(saleId)).toBe(1);
  await buy(stranger, saleId);
  for (const wrong of NOBODYS_ORDERS) {
    expectProblem(await shopper.client.post(`/api/orders/${wrong}/cancel`), 404, 'ORDER_NOT_FOUND');
  }
});
