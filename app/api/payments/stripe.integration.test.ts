import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { payOrder } from '@/lib/payment/pay-order';
import { StripeStandIn, sign } from '@/lib/payment/providers/stripe/testing/stripe-stand-in';
import { createOrderFixture, standOf } from '@/lib/purchase/testing/order-fixture';
import { closeRedis } from '@/lib/redis/client';
import { POST as webhook } from './webhooks/[provider]/route';

const shop = new StripeStandIn();

beforeAll(() => shop.start());
afterAll(async () => {
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
  const result = await payOrder(order.userId, order.orderNo);
  if (result.status !== 'payable') throw new Error(result.status);
  return { ...order, session: shop.idOf(result.redirectUrl) };
}

describe('a signed callback of Stripe', () => {
  it('[O4 I1] that is older than another one changes nothing', async () => {
    const order = await openOrder();
    const waiting = shop.event('checkout.session.expired', shop.payLater(order.session));
    const done = shop.event('checkout.session.async_payment_succeeded', shop.settle(order.session));
    expect(await tell(done)).toEqual([200, { outcome: 'applied' }]);
    expect(await tell(waiting)).toEqual([200, { outcome: 'ignored' }]);
    expect(await standOf(order.orderNo)).toBe('paid, payment succeeded');
  });

  it('[O4 F5] pays nothing if it is forged, of other money, or of a payment that is not ours', async () => {
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

  it('[O4] about a dispute that ended is recorded, and one of money of nobody is ignored', async () => {
    const order = await openOrder();
    const { charge } = shop.pay(order.session).intent;
    const closed = shop.disputed(charge, 'charge.dispute.closed');
    expect(await tell(closed)).toEqual([200, { outcome: 'ignored' }]);
    const events = await db().paymentEvent.findMany({ where: { paymentId: order.paymentId } });
    expect(events.map(({ type }) => type)).toContain('charge.dispute.closed');
    shop.takeElsewhere(Date.now());
    expect(await tell(shop.disputed(shop.lastCharge()))).toEqual([200, { outcome: 'ignored' }]);
  });
});
