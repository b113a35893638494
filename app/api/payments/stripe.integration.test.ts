import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { cancelOrder } from '@/lib/order/cancel-order';
import { askLatePayments } from '@/lib/payment/ask-provider';
import { payOrder } from '@/lib/payment/pay-order';
import { STRIPE_SECRETS, StripeStandIn, sign } from '@/lib/payment/providers/stripe/testing/stripe-stand-in';
import { readStatements } from '@/lib/payment/read-statements';
import { refundLate } from '@/lib/payment/refund-late';
import { createOrderFixture, standOf } from '@/lib/purchase/testing/order-fixture';
import { closeRedis } from '@/lib/redis/client';
import { verifySale } from '@/lib/verify/verify-sale';
import { POST as webhook } from './webhooks/[provider]/route';

const shop = new StripeStandIn();

beforeAll(async () => {
  Object.assign(env(), { stripe: { ...STRIPE_SECRETS, isLive: false, apiUrl: await shop.start() } });
});
afterEach(() => void shop.faults.splice(0));
afterAll(async () => {
  Object.assign(env(), { stripe: null });
  await shop.stop();
  await closeRedis();
  await closeDb();
});

const call = async (body: string, headers: Headers) => {
  const request = new Request('http://shop.test/', { method: 'POST', headers, body });
  const answer = await webhook(request, { params: Promise.resolve({ provider: 'stripe' }) });
  return [answer.status, await answer.json()];
};
const tell = ({ body, headers }: { body: string; headers: Headers }) => call(body, headers);

/** An order whose shopper is on Stripe's page. */
async function openOrder() {
  const order = await createOrderFixture();
  const result = await payOrder(order.userId, order.orderNo, `/zh-CN/orders/${order.orderNo}`);
  if (result.status !== 'payable') throw new Error(result.status);
  return { ...order, session: new URL(result.redirectUrl).pathname.slice('/page/'.length) };
}
const makeDue = (paymentId: string) =>
  db().$executeRaw`UPDATE payments SET next_query_at = now() WHERE id = ${paymentId}`;

describe('an order that Stripe takes the money for', () => {
  it('[O4 I1] is paid once, though its callback comes twice, late, and before an older one', async () => {
    const order = await openOrder();
    const waiting = shop.event('checkout.session.expired', shop.pay(order.session, 'bank'));
    const done = shop.event('checkout.session.async_payment_succeeded', shop.settle(order.session));
    expect(await Promise.all([tell(done), tell(done)])).toEqual(
      expect.arrayContaining([[200, { outcome: 'applied' }]]),
    );
    expect(await tell(done)).toEqual([200, { outcome: 'repeated' }]);
    expect(await tell(waiting)).toEqual([200, { outcome: 'ignored' }]);
    expect(await standOf(order.orderNo)).toBe('paid, payment succeeded');
    expect(await payOrder(order.userId, order.orderNo)).toMatchObject({ status: 'payable' });
    expect(await verifySale(order.saleId)).toMatchObject({ ok: true });
  });

  it('[O4 F5] is not paid by a forged callback, other money, or a payment that is not ours', async () => {
    const order = await openOrder();
    const session = shop.pay(order.session);
    const { body } = shop.event('checkout.session.completed', session);
    expect(await call(body, sign(body, 'whsec_forged'))).toMatchObject([401, { code: 'SIGNATURE_INVALID' }]);
    const other = shop.event('checkout.session.completed', { ...session, amount_total: 1 });
    expect(await tell(other)).toEqual([200, { outcome: 'mismatch' }]);
    const strange = shop.event('checkout.session.completed', { ...session, client_reference_id: 'pay_404' });
    expect(await tell(strange)).toEqual([200, { outcome: 'unknown_payment' }]);
    const foreign = shop.event('checkout.session.completed', { ...session, client_reference_id: '' });
    expect(await tell(foreign)).toEqual([200, { outcome: 'ignored' }]);
    expect(await call('x'.repeat(70_000), sign(body))).toMatchObject([413, { code: 'TOO_LARGE' }]);
    expect(await standOf(order.orderNo)).toBe('pending_payment, payment pending');
  });

  it('[O4 I5] is paid although no callback ever comes: Stripe is asked', async () => {
    const order = await openOrder();
    shop.pay(order.session);
    await makeDue(order.paymentId);
    expect(await askLatePayments()).toMatchObject({ failed: 0 });
    expect(await standOf(order.orderNo)).toBe('paid, payment succeeded');
  });

  it('[O4 I4] that was cancelled meanwhile gets its money back, once', async () => {
    const order = await openOrder();
    await cancelOrder(order.userId, order.orderNo);
    const done = shop.event('checkout.session.completed', shop.pay(order.session));
    expect(await tell(done)).toEqual([200, { outcome: 'late' }]);
    const refunds = shop.refunds.length;
    shop.faults.push(500, 'lost');
    const late = [{ paymentId: order.paymentId }];
    await refundLate(late);
    await refundLate(late);
    expect(shop.refunds.length - refunds).toBe(1);
    expect(await standOf(order.orderNo)).toBe('cancelled, payment refunded');
  });

  it('[O4 I9] agrees with Stripe’s statement; money of nobody is reported', async () => {
    const order = await openOrder();
    await tell(shop.event('checkout.session.completed', shop.pay(order.session)));
    shop.takeElsewhere(Math.floor(Date.now() / 1_000), { paymentId: 'pay_7' });
    await db().statementMark.deleteMany();
    expect(await readStatements()).toMatchObject({ noted: 1, asked: 0 });
  });

  it('[O4 I9] that its payer disputes stays paid, and waits for a person with an alert', async () => {
    const order = await openOrder();
    const session = shop.pay(order.session);
    await tell(shop.event('checkout.session.completed', session));
    const { charge } = session.intent;
    const disputed = shop.dispute(charge);
    shop.faults.push(500, 500, 500);
    expect(await tell(disputed)).toMatchObject([503, { code: 'PAYMENT_UNAVAILABLE' }]);
    expect(await tell(disputed)).toEqual([200, { outcome: 'mismatch' }]);
    expect(await tell(disputed)).toEqual([200, { outcome: 'repeated' }]);
    const lost = shop.dispute(charge, 'charge.dispute.closed');
    expect(await tell(lost)).toEqual([200, { outcome: 'ignored' }]);
    for (let asked = 0; asked < 3; asked += 1) {
      await makeDue(order.paymentId);
      await askLatePayments();
    }
    const [letter] = await db().deadLetter.findMany({ where: { orderNo: BigInt(order.orderNo) } });
    expect(letter).toMatchObject({ consumer: 'provider-books', resolvedAt: null });
    expect(letter?.error).toContain('and disputed');
    expect(await standOf(order.orderNo)).toBe('paid, payment succeeded');
    const verified = await verifySale(order.saleId);
    expect(verified?.invariants.filter(({ ok }) => !ok).map(({ id }) => id)).toEqual([8]);
    const events = await db().paymentEvent.findMany({ where: { paymentId: order.paymentId } });
    expect(events.map(({ type }) => type)).toContain('charge.dispute.closed');
    expect(JSON.stringify(events)).not.toContain('@');
  });

  it('[O4] a dispute of money that this shop has not taken is ignored', async () => {
    shop.takeElsewhere(Math.floor(Date.now() / 1_000));
    expect(await tell(shop.dispute(shop.lastCharge()))).toEqual([200, { outcome: 'ignored' }]);
  });

  it('[O4 J1] can be paid later when Stripe does not answer now; its units stay held', async () => {
    const order = await createOrderFixture();
    shop.faults.push(...Array.from({ length: 12 }, () => 500 as const));
    expect(await payOrder(order.userId, order.orderNo)).toEqual({ status: 'provider_silent' });
    shop.faults.splice(0);
    expect(await standOf(order.orderNo)).toBe('pending_payment, payment pending');
    expect(await payOrder(order.userId, order.orderNo)).toMatchObject({ status: 'payable' });
  });

  it('[O4 I4] is opened once, though Stripe’s answers were lost and the sale has another title by now', async () => {
    const order = await createOrderFixture();
    shop.faults.push('lost', 'lost', 'lost');
    expect(await payOrder(order.userId, order.orderNo)).toEqual({ status: 'provider_silent' });
    await db().sale.update({ where: { id: order.saleId }, data: { title: 'Another title' } });
    const before = shop.sessions.size;
    expect(await payOrder(order.userId, order.orderNo)).toMatchObject({ status: 'payable' });
    expect(shop.sessions.size).toBe(before);
  });

  it('[O4] leads back to the order in the shopper’s language', async () => {
    const order = await openOrder();
    const session = shop.sessions.get(order.session);
    expect(session?.success_url).toBe(new URL(`/zh-CN/orders/${order.orderNo}`, env().publicUrl).href);
  });
});
