import { expect, test } from '@playwright/test';
import { demoMerchant, newShopper, type Shopper, unique } from '../support/accounts';
import { type Answer, Client } from '../support/client';
import { expectProblem } from '../support/problem';
import { tellNothing } from '../support/received';
import { availableOf, buy, expectOrder, newSale } from '../support/sales';
import { sentBack, takeMoney } from '../support/sandbox-books';
import { signCallback } from '../support/signed-callback';

const anybody = new Client();
type Payment = { paymentId: string; orderNo: string; token: string };

async function unpaid(
  options: Parameters<typeof newSale>[0] = {},
): Promise<{ shopper: Shopper; payment: Payment }> {
  const [shopper, { saleId }] = await Promise.all([newShopper(), newSale(options)]);
  const orderNo = await buy(shopper, saleId);
  const { body } = await shopper.client.post(`/api/orders/${orderNo}/pay`);
  const token = new URL(String(body.redirectUrl), 'http://x').searchParams.get('token') ?? '';
  return { shopper, payment: { paymentId: String(body.paymentId), orderNo, token } };
}

type Callback = {
  type?: string;
  data?: Record<string, unknown>;
  id?: string;
  sentAt?: Date;
  secret?: string;
};

/** Sends a callback as the provider would, unless the options say otherwise. */
function callBack(
  { paymentId }: Payment,
  { type = 'payment.succeeded', data, id = unique(), sentAt = new Date(), secret }: Callback = {},
): Promise<Answer> {
  const body = JSON.stringify({ type, data: { paymentId, amountMinor: 4200, currency: 'EUR', ...data } });
  return sendSigned(body, id, sentAt, secret);
}

function sendSigned(body: string, id = unique(), sentAt?: Date, secret?: string): Promise<Answer> {
  const headers = signCallback(body, id, sentAt, secret);
  return anybody.post('/api/payments/webhooks/sandbox', body, { headers, isSameOrigin: false });
}

test('[F4 I4] paying twice is one payment', async () => {
  const { shopper, payment } = await unpaid();
  const path = `/api/orders/${payment.orderNo}/pay`;
  const again = await shopper.client.post(path);
  expect(again.status).toBe(200);
  expect(again.body.paymentId).toBe(payment.paymentId);
  expect(String(again.body.redirectUrl)).toMatch(/^\/pay\/sandbox\//);
  expectProblem(await anybody.post(path), 401, 'UNAUTHENTICATED');
  expectProblem(await shopper.client.post(path, {}, { isSameOrigin: false }), 403, 'CSRF');
  expectProblem(await (await newShopper()).client.post(path), 404, 'ORDER_NOT_FOUND');
  expectProblem(await shopper.client.post('/api/orders/1/pay'), 404, 'ORDER_NOT_FOUND');
});

test('[F4 I1] the sandbox page declines, then pays, once', async () => {
  const { shopper, payment } = await unpaid();
  const { paymentId, orderNo, token } = payment;
  const page = `/api/payments/sandbox/${paymentId}`;
  expect((await anybody.get(`${page}?token=${token}`)).body).toMatchObject({
    paymentId,
    orderNo,
    amountMinor: 4200,
    currency: 'EUR',
    status: 'pending',
    returnUrl: `/orders/${orderNo}`,
  });
  expectProblem(await anybody.get(`${page}?token=wrong`), 404, 'PAYMENT_NOT_FOUND');
  expectProblem(await anybody.get(page), 404, 'PAYMENT_NOT_FOUND');
  expectProblem(await anybody.post(`${page}/pay`, { token: 'wrong' }), 404, 'PAYMENT_NOT_FOUND');
  expectProblem(await anybody.post(`${page}/pay`, {}), 422, 'VALIDATION');
  expectProblem(await anybody.post(`${page}/pay`, 'nonsense'), 400, 'MALFORMED');

  expect((await anybody.post(`${page}/decline`, { token })).body).toMatchObject({ status: 'failed' });
  await expectOrder(shopper, orderNo, 'pending_payment');
  const both = await Promise.all([
    anybody.post(`${page}/pay`, { token }),
    anybody.post(`${page}/pay`, { token }),
  ]);
  for (const answer of both) expect(answer.body).toMatchObject({ status: 'succeeded' });
  expect((await anybody.post(`${page}/decline`, { token })).body).toMatchObject({ status: 'succeeded' });
  await expectOrder(shopper, orderNo, 'paid');
  expect((await shopper.client.post(`/api/orders/${orderNo}/pay`)).body.paymentId).toBe(paymentId);
  expectProblem(await shopper.client.post(`/api/orders/${orderNo}/cancel`), 409, 'ORDER_NOT_CANCELLABLE');
});

test('[F5 I1] a callback counts once, however often and in whatever order it comes', async () => {
  const { shopper, payment } = await unpaid();
  await takeMoney(payment.paymentId);
  const id = unique();
  const first = await Promise.all([1, 2, 3].map(() => callBack(payment, { id })));
  expect(first.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(first.map(({ body }) => body.outcome).sort()).toEqual(['applied', 'repeated', 'repeated']);
  expect((await callBack(payment)).body.outcome).toBe('repeated');
  expect((await callBack(payment, { type: 'payment.failed' })).body.outcome).toBe('ignored');
  await expectOrder(shopper, payment.orderNo, 'paid');
});

test('[F5] a callback that fits no payment changes nothing', async () => {
  const { shopper, payment } = await unpaid();
  for (const data of [{ amountMinor: 4199 }, { amountMinor: 0 }, { currency: 'USD' }]) {
    expect((await callBack(payment, { data })).body.outcome).toBe('mismatch');
  }
  expect((await callBack(payment, { data: { paymentId: 'pay_1' } })).body.outcome).toBe('unknown_payment');
  expect((await callBack(payment, { type: 'payment.celebrated' })).body.outcome).toBe('ignored');
  await expectOrder(shopper, payment.orderNo, 'pending_payment');
});

test('[F5] a forged or stale callback is refused before it is read', async () => {
  const { shopper, payment } = await unpaid();
  const [early, late] = [new Date(Date.now() - 6 * 60_000), new Date(Date.now() + 6 * 60_000)];
  const secret = `whsec_${Buffer.from('x'.repeat(32)).toString('base64')}`;
  for (const forged of [{ secret }, { sentAt: early }, { sentAt: late }]) {
    expectProblem(await callBack(payment, forged), 401, 'SIGNATURE_INVALID');
  }
  for (const end of ['', '/', '/?x=1'])
    expectProblem(await anybody.post(`/api/payments/webhooks/sandbox${end}`, '{}'), 401, 'SIGNATURE_INVALID');
  expectProblem(await anybody.post('/api/payments/webhooks/sandbox', 'x'.repeat(70_000)), 413, 'TOO_LARGE');
  expectProblem(await anybody.post('/api/payments/webhooks/nobody', '{}'), 404, 'NOT_FOUND');
  await expectOrder(shopper, payment.orderNo, 'pending_payment');
});

test('[F5] an authentic callback that makes no sense is malformed', async () => {
  for (const body of [
    '',
    'nonsense',
    'null',
    '[]',
    '{}',
    '{"type":"payment.succeeded","data":{"paymentId":7}}',
    '{"type":"payment.succeeded","data":{"paymentId":"a\\u0000","amountMinor":1,"currency":"EUR"}}',
  ]) {
    expectProblem(await sendSigned(body), 400, 'MALFORMED');
  }
});

test('[I10 C7] money for a cancelled order is given back', async () => {
  const { shopper, payment } = await unpaid();
  await shopper.client.post(`/api/orders/${payment.orderNo}/cancel`);
  await takeMoney(payment.paymentId);
  expect((await callBack(payment)).body.outcome).toBe('late');
  const page = `/api/payments/sandbox/${payment.paymentId}?token=${payment.token}`;
  await expect.poll(async () => (await anybody.get(page)).body.status).toBe('refunded');
  await expectOrder(shopper, payment.orderNo, 'cancelled');
});

test('[I1 F3] an amount is fixed once its payment was opened: what was charged is what the order costs', async () => {
  const { shopper, payment } = await unpaid();
  const { orderNo, paymentId } = payment;
  const merchant = await demoMerchant();
  await takeMoney(paymentId);
  const change = () =>
    merchant.request('PATCH', `/api/admin/orders/${orderNo}`, { body: { priceMinor: 3000, version: 1 } });
  for (const answer of await Promise.all([change(), change()])) expectProblem(answer, 409, 'PAYMENT_OPENED');
  expect((await callBack(payment)).body.outcome).toBe('applied');
  await expectOrder(shopper, orderNo, 'paid');
  expectProblem(await change(), 409, 'VERSION_CONFLICT');
  expect((await merchant.get(`/api/admin/orders/${orderNo}`)).body).toMatchObject({
    amountMinor: 4200,
    payment: { status: 'succeeded', openedAt: expect.any(Number) },
  });
});

test('[I1 I9 J1] other money than was asked for goes back in full; the order ends, and everybody is told', async () => {
  const { shopper, payment } = await unpaid({ totalStock: 3 });
  const { orderNo, paymentId } = payment;
  await tellNothing(orderNo);
  const wrong = { amountMinor: 4100, currency: 'USD' };
  await takeMoney(paymentId, wrong);
  expect((await callBack(payment, { data: wrong })).body.outcome).toBe('mismatch');
  await expect.poll(() => sentBack(paymentId), { timeout: 150_000 }).toEqual(wrong);
  await expectOrder(shopper, orderNo, 'cancelled');
  const { body } = await shopper.client.get(`/api/orders/${orderNo}`);
  expect(body.endReason).toBe('payment_mismatch');
  await expect.poll(() => availableOf(String(body.saleId))).toBe(3);
  const merchant = await demoMerchant();
  const lines = async () =>
    ((await shopper.client.get(`/api/orders/${orderNo}/history`)).body.events as { cause: string }[]).slice(
      2,
    );
  await expect.poll(lines, { timeout: 150_000 }).toMatchObject([
    { cause: 'payment_mismatch', ...wrong },
    { cause: 'money_returned', ...wrong },
  ]);
  // Each notice is written by itself: a busy machine changes their order.
  const told = async () =>
    ((await shopper.client.get('/api/notifications')).body.notifications as { kind: string }[])
      .map(({ kind, ...money }) => [kind, money] as const)
      .sort(([a], [b]) => a.localeCompare(b));
  await expect.poll(told, { timeout: 150_000 }).toMatchObject([
    ['order_refunded', wrong],
    ['payment_mismatch', wrong],
  ]);
  await expect
    // A busy machine may give this sale alerts of other rules.
    .poll(
      async () =>
        (await merchant.get(`/api/admin/alerts?rule=payment_mismatch&saleId=${body.saleId}`)).body.alerts,
    )
    .toMatchObject([{ rule: 'payment_mismatch', state: 'firing', value: 1 }]);
  expect((await merchant.get(`/api/admin/orders/${orderNo}`)).body).toMatchObject({
    payment: { status: 'refunded' },
    paymentEvents: [{ outcome: 'mismatch' }, { outcome: 'sent_back' }],
  });
});
