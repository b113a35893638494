import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { payOrder } from '@/lib/payment/pay-order';
import { signWebhook } from '@/lib/payment/providers/sandbox/sign-webhook';
import { buyForAll, createSaleFixture, makeOverdue, readStates } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { createOrders } from '@/lib/settlement/create-orders';
import { POST as decline } from './sandbox/[paymentId]/decline/route';
import { POST as pay } from './sandbox/[paymentId]/pay/route';
import { GET as open } from './sandbox/[paymentId]/route';
import { POST as webhook } from './webhooks/[provider]/route';

/** The shop's own address: the sandbox calls it back over real HTTP. `isAway` makes the shop refuse the call. */
let isAway = false;
let callbacks = 0;
const shop = createServer(async (request, response) => {
  callbacks += 1;
  const body = await text(request);
  const provider = request.url?.split('/').at(-1) ?? '';
  const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const answer = isAway ? new Response(null, { status: 503 }) : await call(provider, headers, body);
  response.writeHead(answer.status).end(await answer.text());
});

beforeAll(async () => {
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  process.env.INNGEST_SERVE_ORIGIN = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
});
afterAll(async () => {
  shop.close();
  await closeRedis();
  await closeDb();
});

const call = (provider: string, headers: HeadersInit, body: string) =>
  webhook(new Request('http://shop.test/', { method: 'POST', headers, body }), {
    params: Promise.resolve({ provider }),
  });

async function newPayment() {
  const sale = await createSaleFixture({ users: 1 });
  const [order] = await buyForAll(sale);
  if (!order) throw new Error('one purchase expected');
  await createOrders({ saleId: sale.saleId, orders: [order] });
  const result = await payOrder(order.userId, order.orderNo);
  if (result.status !== 'payable') throw new Error(`not payable: ${result.status}`);
  const url = new URL(result.redirectUrl, 'http://shop.test');
  const { paymentId } = result;
  return { ...sale, ...order, paymentId, url, token: url.searchParams.get('token') ?? '' };
}

type Payment = Awaited<ReturnType<typeof newPayment>>;
const params = (paymentId: string) => ({ params: Promise.resolve({ paymentId }) });
const page = (paymentId: string, token: string) =>
  open(new Request(`http://shop.test/?token=${encodeURIComponent(token)}`), params(paymentId));
const press = (button: typeof pay, { paymentId }: Payment, body: unknown) =>
  button(
    new Request('http://shop.test/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
    params(paymentId),
  );
const statusOf = async ({ saleId, orderNo }: Payment) => (await readStates(saleId)).get(orderNo)?.status;

describe('the sandbox provider', () => {
  it('[I4 F4] paying an order is one redirect, and the second attempt gets the first payment', async () => {
    const payment = await newPayment();
    expect(payment.url.pathname).toBe(`/pay/sandbox/${payment.paymentId}`);
    expect(payment.url.searchParams.get('return')).toBe(`/orders/${payment.orderNo}`);
    expect(await payOrder(payment.userId, payment.orderNo)).toEqual({
      status: 'payable',
      paymentId: payment.paymentId,
      redirectUrl: `${payment.url.pathname}${payment.url.search}`,
    });
    expect(await payOrder('user_stranger', payment.orderNo)).toEqual({ status: 'not_found' });
    expect(await payOrder(payment.userId, '1024')).toEqual({ status: 'not_found' });
    await makeOverdue([payment.orderNo]);
    expect(await payOrder(payment.userId, payment.orderNo)).toEqual({ status: 'not_payable' });
  });

  it('[I1 F4] page, pay, callback: the order is paid once, however often the button is pressed', async () => {
    const payment = await newPayment();
    expect(await (await page(payment.paymentId, payment.token)).json()).toEqual({
      paymentId: payment.paymentId,
      orderNo: payment.orderNo,
      amountMinor: 1999,
      returnedMinor: 0,
      currency: 'EUR',
      title: 'Lamp sale',
      status: 'pending',
      returnUrl: `/orders/${payment.orderNo}`,
    });
    const answers = await Promise.all([1, 2, 3].map(() => press(pay, payment, { token: payment.token })));
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ status: 'succeeded', returnUrl: `/orders/${payment.orderNo}` });
    }
    expect(await statusOf(payment)).toBe('paid');
    expect(await payOrder(payment.userId, payment.orderNo)).toMatchObject({ paymentId: payment.paymentId });
    const before = callbacks;
    expect((await press(decline, payment, { token: payment.token })).status).toBe(200);
    expect(callbacks).toBe(before);
    expect(await db().paymentEvent.count({ where: { paymentId: payment.paymentId } })).toBe(1);
  });

  it('[F5] declined, then paid', async () => {
    const payment = await newPayment();
    expect(await (await press(decline, payment, { token: payment.token })).json()).toMatchObject({
      status: 'failed',
    });
    expect(await statusOf(payment)).toBe('pending_payment');
    expect(await payOrder(payment.userId, payment.orderNo)).toMatchObject({ status: 'payable' });
    expect(await (await press(pay, payment, { token: payment.token })).json()).toMatchObject({
      status: 'succeeded',
    });
    expect(await statusOf(payment)).toBe('paid');
  });

  it('[F4] without the right token there is no page and no button', async () => {
    const [payment, other] = [await newPayment(), await newPayment()];
    for (const token of ['', 'wrong', other.token]) {
      const answer = await page(payment.paymentId, token);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ code: 'PAYMENT_NOT_FOUND' });
    }
    expect((await press(pay, payment, { token: other.token })).status).toBe(404);
    expect((await press(decline, payment, { token: other.token })).status).toBe(404);
    expect((await press(pay, payment, {})).status).toBe(422);
    expect((await press(pay, payment, { token: 7 })).status).toBe(422);
    expect(await statusOf(payment)).toBe('pending_payment');
  });

  it('[I2] a shop that does not take the callback is reported, and pressing again works', async () => {
    const payment = await newPayment();
    isAway = true;
    const refused = await press(pay, payment, { token: payment.token });
    isAway = false;
    expect(refused.status).toBe(502);
    expect(await refused.json()).toMatchObject({ code: 'CALLBACK_REFUSED' });
    expect(await statusOf(payment)).toBe('pending_payment');
    expect((await press(pay, payment, { token: payment.token })).status).toBe(200);
    expect(await statusOf(payment)).toBe('paid');
  });
});

describe('POST /api/payments/webhooks/:provider', () => {
  const bodyOf = ({ paymentId }: Payment, data: object = {}) =>
    JSON.stringify({
      type: 'payment.succeeded',
      data: { paymentId, amountMinor: 1999, currency: 'EUR', ...data },
    });

  it('[F5] forged: 401 SIGNATURE_INVALID, nothing recorded', async () => {
    const payment = await newPayment();
    const body = bodyOf(payment);
    const forged = await call(
      'sandbox',
      { ...signWebhook('msg_forged', body), 'webhook-signature': 'v1,AAAA' },
      body,
    );
    const stale = await call('sandbox', signWebhook('msg_stale', body, new Date(Date.now() - 301_000)), body);
    for (const answer of [forged, stale, await call('sandbox', {}, body)]) {
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ code: 'SIGNATURE_INVALID' });
    }
    expect(await statusOf(payment)).toBe('pending_payment');
    expect(await db().paymentEvent.count({ where: { webhookId: { in: ['msg_forged', 'msg_stale'] } } })).toBe(
      0,
    );
  });

  it('[I1] malformed 400, too large 413, unknown provider 404', async () => {
    const malformed = await call('sandbox', signWebhook('msg_bad', '{}'), '{}');
    expect(malformed.status).toBe(400);
    expect(await malformed.json()).toMatchObject({ code: 'MALFORMED' });
    const huge = 'x'.repeat(65 * 1024);
    expect((await call('sandbox', signWebhook('msg_huge', huge), huge)).status).toBe(413);
    expect((await call('elsewhere', signWebhook('msg_bad', '{}'), '{}')).status).toBe(404);
  });

  it('[F5] authentic but not applicable: 200 with its outcome, recorded, nothing changed', async () => {
    const payment = await newPayment();
    const cases = [
      ['mismatch', bodyOf(payment, { amountMinor: 1 })],
      ['unknown_payment', bodyOf(payment, { paymentId: 'pay_404' })],
    ] as const;
    for (const [outcome, body] of cases) {
      const headers = signWebhook(`msg_${outcome}_${payment.orderNo}`, body);
      const answer = await call('sandbox', headers, body);
      expect([answer.status, await answer.json()]).toEqual([200, { outcome }]);
      expect(await (await call('sandbox', headers, body)).json()).toEqual({ outcome: 'repeated' });
    }
    expect(await statusOf(payment)).toBe('pending_payment');
  });
});
