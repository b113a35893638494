import { expect, test } from '@playwright/test';
import { demoMerchant, newShopper, type Shopper } from '../support/accounts';
import { Client } from '../support/client';
import { execute } from '../support/database';
import { mailsOf } from '../support/mails';
import { expectProblem } from '../support/problem';
import { tellNothing, tellNow } from '../support/received';
import { buy, expectAvailable, expectOrder, newSale, pay } from '../support/sales';

const anybody = new Client();

async function bought(options: Parameters<typeof newSale>[0] = {}, tell = tellNothing) {
  const [shopper, merchant, sale] = await Promise.all([newShopper(), demoMerchant(), newSale(options)]);
  const orderNo = await buy(shopper, sale.saleId);
  await tell(orderNo);
  return { shopper, merchant, ...sale, orderNo, admin: `/api/admin/orders/${orderNo}` };
}

/** Returns the kinds of a shopper's notices by name: each is written by itself, and a busy machine changes their order. */
const kindsOf = async ({ client }: Pick<Shopper, 'client'>) =>
  ((await client.get('/api/notifications')).body.notifications as { kind: string }[])
    .map(({ kind }) => kind)
    .sort();

test('[I9 L4] the admin area sees an order with all that happened, the shopper the part that is theirs', async () => {
  const { shopper, merchant, orderNo, admin } = await bought();
  await pay(shopper, orderNo);
  const seen = await merchant.get(admin);
  expect(seen.status, seen.text).toBe(200);
  expect(seen.body).toMatchObject({ orderNo, userId: shopper.userId, payment: { status: 'succeeded' } });
  const causes = (body: Record<string, unknown>, list: string) =>
    (body[list] as { cause: string }[]).map(({ cause }) => cause).slice(0, 3);
  expect(causes(seen.body, 'history')).toEqual(['accepted', 'written', 'paid']);
  const own = await shopper.client.get(`/api/orders/${orderNo}/history`);
  expect(causes(own.body, 'events')).toEqual(['accepted', 'written', 'paid']);
  expectProblem(await anybody.get(`/api/orders/${orderNo}/history`), 401, 'UNAUTHENTICATED');
  const stranger = await newShopper();
  expectProblem(await stranger.client.get(`/api/orders/${orderNo}/history`), 404, 'ORDER_NOT_FOUND');
  expectProblem(await stranger.client.get(admin), 403, 'FORBIDDEN');
  expectProblem(await merchant.get('/api/admin/orders/nonsense'), 404, 'ORDER_NOT_FOUND');
});

test('[I9 C6] a merchant refunds: money, unit and points go back, once', async () => {
  const { shopper, merchant, saleId, orderNo, admin } = await bought({ totalStock: 3 });
  const refund = { reason: 'scratched', returnStock: true };
  const early = await merchant.post(`${admin}/refund`, refund);
  expectProblem(early, 409, 'ORDER_NOT_REFUNDABLE');
  expect(early.body.is).toBe('pending_payment');
  await pay(shopper, orderNo);
  for (const wrong of [
    {},
    { reason: '', returnStock: true },
    { reason: 'x' },
    { reason: 'x', returnStock: 1 },
  ]) {
    expectProblem(await merchant.post(`${admin}/refund`, wrong), 422, 'VALIDATION');
  }
  expectProblem(await shopper.client.post(`${admin}/refund`, refund), 403, 'FORBIDDEN');
  expectProblem(await merchant.post(`${admin}/refund`, refund, { isSameOrigin: false }), 403, 'CSRF');
  const answers = await Promise.all([1, 2, 3].map(() => merchant.post(`${admin}/refund`, refund)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  await expect
    .poll(async () => (await merchant.get(admin)).body)
    .toMatchObject({ status: 'refunded', payment: { status: 'refunded' } });
  await expectAvailable(saleId, 3);
  await expect.poll(() => kindsOf(shopper)).toEqual(['order_paid', 'order_refunded']);
  await expect.poll(async () => (await shopper.client.get('/api/points')).body).toMatchObject({ balance: 0 });
  await expect
    .poll(() => [...mailsOf(orderNo).keys()].sort())
    .toEqual([`order_paid-${orderNo}.eml`, `order_refunded-${orderNo}.eml`]);
});

test('[I9 C6] a merchant cancels what is unpaid; the shopper is told', async () => {
  const { shopper, merchant, saleId, orderNo, admin } = await bought({ totalStock: 1 });
  expectProblem(await merchant.post(`${admin}/cancel`, {}), 422, 'VALIDATION');
  const cancelled = await merchant.post(`${admin}/cancel`, { reason: 'misprint' });
  expect(cancelled.body).toMatchObject({ status: 'cancelled', endReason: 'cancelled_by_merchant' });
  await expectAvailable(saleId, 1);
  await expect.poll(() => kindsOf(shopper)).toEqual(['order_cancelled']);
  expectProblem(await shopper.client.post(`/api/orders/${orderNo}/cancel`), 409, 'ORDER_NOT_CANCELLABLE');
});

test('[O7] an order that is still to be paid a minute later is told of, in the shop and by mail', async () => {
  const { shopper, orderNo } = await bought({ priceMinor: 4290 }, tellNow);
  // Another test switches notices off for a moment; they come later then.
  await expect.poll(() => kindsOf(shopper), { timeout: 240_000 }).toEqual(['order_received']);
  await expect.poll(() => [...mailsOf(orderNo).keys()]).toEqual([`order_received-${orderNo}.eml`]);
  const [mail] = [...mailsOf(orderNo).values()];
  expect(mail).toContain(`your order ${orderNo}`);
  expect(mail).toContain(`/orders/${orderNo}`);
  expect(mail).toContain('42.90');
});

test('[I7] reminds before the deadline, once', async () => {
  const { shopper, orderNo } = await bought();
  // It comes when a third of the quarter of an hour is left: as if ten minutes had passed.
  await execute(
    `UPDATE orders SET created_at = created_at - interval '620 seconds', pay_by = pay_by - interval '620 seconds'
     WHERE id = $1`,
    [orderNo],
  );
  // Another test switches reminders off for a moment; they come later then.
  await expect.poll(() => kindsOf(shopper), { timeout: 240_000 }).toEqual(['payment_reminder']);
  await expectOrder(shopper, orderNo, 'pending_payment');
  await expect.poll(() => [...mailsOf(orderNo).keys()]).toEqual([`payment_reminder-${orderNo}.eml`]);
});

test('[I3] notices are read one by one or all, by their reader only', async () => {
  const { shopper, merchant, orderNo, admin } = await bought();
  for (const [price, version] of [
    [100, 1],
    [200, 2],
  ]) {
    expect((await merchant.request('PATCH', admin, { body: { priceMinor: price, version } })).status).toBe(
      200,
    );
  }
  const list = async () => (await shopper.client.get('/api/notifications')).body;
  await expect.poll(async () => (await list()).unread).toBe(2);
  const [first] = (await list()).notifications as { id: string; orderNo: string }[];
  expect(first?.orderNo).toBe(orderNo);
  const stranger = await newShopper();
  expect((await stranger.client.post('/api/notifications/read', { ids: [first?.id] })).body).toEqual({
    unread: 0,
  });
  expect((await list()).unread).toBe(2);
  const read = (body?: unknown) => shopper.client.post('/api/notifications/read', body);
  expect((await read({ ids: [first?.id] })).body).toEqual({ unread: 1 });
  expect((await shopper.client.get('/api/notifications/unread')).body).toEqual({ unread: 1 });
  expect((await read()).body).toEqual({ unread: 0 });
  expectProblem(await read({ ids: ['x'] }), 422, 'VALIDATION');
  for (const path of ['/api/notifications', '/api/notifications/unread', '/api/points']) {
    expectProblem(await anybody.get(path), 401, 'UNAUTHENTICATED');
  }
  expectProblem(await shopper.client.get('/api/notifications?cursor=AAAA'), 422, 'VALIDATION');
  expectProblem(await shopper.client.get('/api/points?limit=0'), 422, 'VALIDATION');
});

test('[E6 J3] the admin area lists dead letters by page and shows how the side services are', async () => {
  const { merchant, saleId } = await bought();
  const letters = await merchant.get('/api/admin/dead-letters?limit=2&state=all');
  expect(letters.status, letters.text).toBe(200);
  expect(letters.body.deadLetters).toEqual(expect.any(Array));
  expectProblem(await merchant.get('/api/admin/dead-letters?state=some'), 422, 'VALIDATION');
  expectProblem(await merchant.get('/api/admin/dead-letters?cursor=AAAA'), 422, 'VALIDATION');
  const one = '/api/admin/dead-letters/999999999';
  expectProblem(await merchant.post(`${one}/retry`), 404, 'DEAD_LETTER_NOT_FOUND');
  expectProblem(await merchant.post(`${one}/discard`, { reason: 'x' }), 404, 'DEAD_LETTER_NOT_FOUND');
  expectProblem(await merchant.post(`${one}/discard`, {}), 422, 'VALIDATION');
  const stranger = await newShopper();
  for (const path of [`${one}/retry`, `${one}/discard`, '/api/admin/dead-letters/retry']) {
    expectProblem(await anybody.post(path), 401, 'UNAUTHENTICATED');
    expectProblem(await stranger.client.post(path), 403, 'FORBIDDEN');
    expectProblem(await merchant.post(path, {}, { isSameOrigin: false }), 403, 'CSRF');
  }
  // A process that stalls reports nothing for a while, and a service may have failed once since the start.
  type Breaker = { lastError: string | null };
  const breakers = async () => {
    const { body } = await merchant.get(`/api/admin/sales/${saleId}/live`);
    return (body.breakers as Breaker[]).map(({ lastError, ...rest }) => ({
      ...rest,
      isTold: lastError === null || lastError.length > 0,
    }));
  };
  await expect.poll(breakers, { timeout: 150_000 }).toEqual(
    ['alert-mail', 'alert-webhook', 'log-head', 'mail', 'notifications', 'points'].map((service) => ({
      service,
      state: 'closed',
      since: expect.any(Number),
      isTold: true,
    })),
  );
});
