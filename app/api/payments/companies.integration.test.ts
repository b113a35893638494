import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { COMPANIES, type Company } from '@/lib/contract/words/payment';
import { closeDb, db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { refundOrder } from '@/lib/order/admin/refund-order';
import { cancelOrder } from '@/lib/order/cancel-order';
import { askLatePayments } from '@/lib/payment/ask-provider';
import { payOrder } from '@/lib/payment/pay-order';
import { MollieStandIn } from '@/lib/payment/providers/mollie/testing/mollie-stand-in';
import { StripeStandIn } from '@/lib/payment/providers/stripe/testing/stripe-stand-in';
import type { Callback, StandIn, Told } from '@/lib/payment/providers/testing/stand-in';
import { readStatements } from '@/lib/payment/read-statements';
import { returnMoney } from '@/lib/payment/return-money';
import { createOrderFixture, standOf } from '@/lib/purchase/testing/order-fixture';
import { buyForAll, createSaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { createOrders } from '@/lib/settlement/create-orders';
import { verifySale } from '@/lib/verify/verify-sale';
import { POST as webhook } from './webhooks/[provider]/route';

const shops: Record<Company, StandIn> = { stripe: new StripeStandIn(), mollie: new MollieStandIn() };

beforeAll(async () => {
  for (const name of COMPANIES) await shops[name].start();
});
afterEach(() => {
  for (const name of COMPANIES) shops[name].faults.splice(0);
});
afterAll(async () => {
  for (const name of COMPANIES) await shops[name].stop();
  await closeRedis();
  await closeDb();
});

const tell = async (provider: Company, { body, headers }: Callback) => {
  const request = new Request('http://shop.test/', { method: 'POST', headers, body });
  const answer = await webhook(request, { params: Promise.resolve({ provider }) });
  return [answer.status, await answer.json()];
};
const makeDue = (paymentId: string) =>
  db().$executeRaw`UPDATE payments SET next_query_at = now() WHERE id = ${paymentId}`;

// Both are set up all the time: the settings say which one is the usual one.
describe.each(COMPANIES)('an order that %s takes the money for', (name) => {
  const shop = shops[name];
  const told = (about: Told, id: string) => tell(name, shop.callback(about, id));
  beforeAll(() => void Object.assign(env(), { paymentProvider: name }));

  /** An order whose shopper is on the company's page. */
  async function openOrder() {
    const order = await createOrderFixture();
    const result = await payOrder(order.userId, order.orderNo, `/zh-CN/orders/${order.orderNo}`);
    if (result.status !== 'payable') throw new Error(result.status);
    return { ...order, page: shop.idOf(result.redirectUrl) };
  }

  it('[O4 I1] is paid once, though its callback comes twice at once, and again later', async () => {
    const order = await openOrder();
    shop.payLater(order.page);
    shop.settle(order.page);
    const done = shop.callback('paid', order.page);
    expect(await Promise.all([tell(name, done), tell(name, done)])).toEqual(
      expect.arrayContaining([[200, { outcome: 'applied' }]]),
    );
    expect(await tell(name, done)).toEqual([200, { outcome: 'repeated' }]);
    expect(await standOf(order.orderNo)).toBe('paid, payment succeeded');
    expect(await payOrder(order.userId, order.orderNo)).toMatchObject({ status: 'payable' });
    expect(await verifySale(order.saleId)).toMatchObject({ ok: true });
  });

  it('[O4 F5] can be paid after its page has expired, by a new one', async () => {
    const order = await openOrder();
    shop.expire(order.page);
    expect(await told('failed', order.page)).toEqual([200, { outcome: 'applied' }]);
    expect(await standOf(order.orderNo)).toBe('pending_payment, payment failed');
    const again = await payOrder(order.userId, order.orderNo);
    if (again.status !== 'payable') throw new Error(again.status);
    const page = shop.idOf(again.redirectUrl);
    expect(page).not.toBe(order.page);
    shop.pay(page);
    expect(await told('paid', page)).toEqual([200, { outcome: 'applied' }]);
    expect(await standOf(order.orderNo)).toBe('paid, payment succeeded');
  });

  /** Asks the company until staff are told what it says otherwise. @returns what they are told */
  async function tellStaff({ orderNo, paymentId }: { orderNo: string; paymentId: string }) {
    for (let asked = 0; asked < 3; asked += 1) {
      const due = await db().payment.count({ where: { id: paymentId, nextQueryAt: { not: null } } });
      if (due === 0) break;
      await makeDue(paymentId);
      await askLatePayments();
    }
    const letters = await db().deadLetter.findMany({ where: { orderNo: BigInt(orderNo), resolvedAt: null } });
    return letters.map(({ consumer, error }) => `${consumer}: ${error}`);
  }

  it('[O4 I5] is paid although no callback ever comes: the company is asked', async () => {
    const order = await openOrder();
    shop.pay(order.page);
    await makeDue(order.paymentId);
    expect(await askLatePayments()).toMatchObject({ failed: 0 });
    expect(await standOf(order.orderNo)).toBe('paid, payment succeeded');
  });

  it('[O4 I4] that was cancelled meanwhile gets its money back, once', async () => {
    const order = await openOrder();
    await cancelOrder(order.userId, order.orderNo);
    shop.pay(order.page);
    expect(await told('paid', order.page)).toEqual([200, { outcome: 'late' }]);
    const refunds = shop.refunds.length;
    shop.faults.push(500, 'none', 'lost', 'lost', 'lost');
    const late = [{ paymentId: order.paymentId }];
    await returnMoney(late).catch(() => 0);
    shop.faults.splice(0);
    await returnMoney(late);
    await returnMoney(late);
    expect(shop.refunds.length - refunds).toBe(1);
    expect(await standOf(order.orderNo)).toBe('cancelled, payment refunded');
  });

  it('[O4 I9] agrees with the company’s statement; money of nobody is reported', async () => {
    const order = await openOrder();
    const others = COMPANIES.filter((other) => other !== name);
    for (const other of others) Object.assign(env(), { [other]: null });
    shop.pay(order.page);
    await told('paid', order.page);
    shop.takeElsewhere(Date.now(), `pay_7${COMPANIES.indexOf(name)}`);
    await db().statementMark.deleteMany();
    expect(await readStatements()).toMatchObject({ noted: 1, asked: 0 });
    for (const other of others) shops[other].setUp();
  });

  it('[O4 I9] that its payer disputes stays paid, and waits for a person with an alert', async () => {
    const order = await openOrder();
    shop.pay(order.page);
    await told('paid', order.page);
    shop.dispute(order.page);
    const disputed = shop.callback('disputed', order.page);
    shop.faults.push(500, 500, 500);
    expect(await tell(name, disputed)).toMatchObject([503, { code: 'PAYMENT_UNAVAILABLE' }]);
    expect(await tell(name, disputed)).toEqual([200, { outcome: 'mismatch' }]);
    expect(await tell(name, disputed)).toEqual([200, { outcome: 'repeated' }]);
    expect(await tellStaff(order)).toEqual([
      expect.stringMatching(/^provider-books: .* 19\.99 EUR, and disputed$/),
    ]);
    expect(await standOf(order.orderNo)).toBe('paid, payment succeeded');
    const verified = await verifySale(order.saleId);
    expect(verified?.invariants.filter(({ ok }) => !ok).map(({ id }) => id)).toEqual([8]);
    const events = await db().paymentEvent.findMany({ where: { paymentId: order.paymentId } });
    expect(JSON.stringify(events)).not.toContain('@');
  });

  it('[O4 I9] of which staff send a part back at the company is reported to a person', async () => {
    const order = await openOrder();
    shop.pay(order.page);
    await told('paid', order.page);
    shop.sendBack(order.page, 500);
    expect(await told('refunded', order.page)).toEqual([200, { outcome: 'ignored' }]);
    const said = `${name} says succeeded, 14.99 EUR beside 5.00 EUR that went back`;
    expect(await tellStaff(order)).toEqual([
      `provider-books: payment ${order.paymentId} is booked here as succeeded, 19.99 EUR; ${said}`,
    ]);
  });

  it('[O4 I9] whose refund is told of is compared in silence; one that does not arrive is reported to a person', async () => {
    const order = await openOrder();
    shop.pay(order.page);
    await told('paid', order.page);
    const { merchantId } = await db().sale.findUniqueOrThrow({ where: { id: order.saleId } });
    const merchant = { userId: merchantId, role: 'merchant' } as const;
    await refundOrder(merchant, order.orderNo, { reason: 'scratched', returnStock: false });
    await returnMoney([{ paymentId: order.paymentId }]);
    expect(await told('refunded', order.page)).toEqual([200, { outcome: 'ignored' }]);
    expect(await tellStaff(order)).toEqual([]);
    expect(await standOf(order.orderNo)).toBe('refunded, payment refunded');
    shop.failRefunds(order.page);
    expect(await told('refund_failed', order.page)).toEqual([200, { outcome: 'mismatch' }]);
    expect(await tellStaff(order)).toEqual([
      `provider-books: payment ${order.paymentId} is booked here as refunded, 19.99 EUR; ${name} says succeeded, 19.99 EUR`,
    ]);
  });

  it('[O4 J1] can be paid later when the company does not answer now; its units stay held', async () => {
    const order = await createOrderFixture();
    shop.faults.push(...Array.from({ length: 12 }, () => 500 as const));
    expect(await payOrder(order.userId, order.orderNo)).toEqual({ status: 'provider_silent' });
    shop.faults.splice(0);
    expect(await standOf(order.orderNo)).toBe('pending_payment, payment pending');
    expect(await payOrder(order.userId, order.orderNo)).toMatchObject({ status: 'payable' });
  });

  it('[O4 I4] is opened once, though answers were lost and the sale has another title by now', async () => {
    const order = await createOrderFixture();
    shop.faults.push('lost', 'lost', 'lost');
    expect(await payOrder(order.userId, order.orderNo)).toEqual({ status: 'provider_silent' });
    shop.faults.splice(0);
    await db().sale.update({ where: { id: order.saleId }, data: { title: 'Another title' } });
    const before = shop.pages().length;
    expect(await payOrder(order.userId, order.orderNo)).toMatchObject({ status: 'payable' });
    expect(shop.pages()).toHaveLength(before);
  });

  it('[O4] leads back to the order in the shopper’s language', async () => {
    const { orderNo, page } = await openOrder();
    expect(shop.returnUrlOf(page)).toBe(new URL(`/zh-CN/orders/${orderNo}`, env().publicUrl).href);
  });

  it('[O4] is paid there also where the sale names it and another company is the usual one', async () => {
    Object.assign(env(), { paymentProvider: COMPANIES.find((other) => other !== name) });
    const sale = await createSaleFixture({ users: 1 });
    await db().sale.update({ where: { id: sale.saleId }, data: { provider: name } });
    const [order] = await buyForAll(sale, 1);
    if (!order) throw new Error('one purchase expected');
    await createOrders({ saleId: sale.saleId, orders: [order] });
    Object.assign(env(), { paymentProvider: name });
    const opened = await payOrder(order.userId, order.orderNo);
    if (opened.status !== 'payable') throw new Error(opened.status);
    const page = shop.idOf(opened.redirectUrl);
    shop.pay(page);
    expect(await told('paid', page)).toEqual([200, { outcome: 'applied' }]);
    expect(await standOf(order.orderNo)).toBe('paid, payment succeeded');
  });
});
