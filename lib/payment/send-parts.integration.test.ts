import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { failStatements, underFault } from '@/inngest/functions/testing/fail-statements';
import { COMPANIES, type Company, PROVIDERS, type ProviderName } from '@/lib/contract/words/payment';
import { closeDb, db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { refundOrder } from '@/lib/order/admin/refund-order';
import { refundPart } from '@/lib/order/admin/refund-part';
import { createOrderFixture, standOf } from '@/lib/purchase/testing/order-fixture';
import { charge, payFor } from '@/lib/purchase/testing/pay-for';
import { closeRedis } from '@/lib/redis/client';
import { confirmPaid } from '@/lib/settlement/confirm-paid';
import { verifySale } from '@/lib/verify/verify-sale';
import { applyBooks } from './apply-books';
import { askLatePayments } from './ask-provider';
import { payOrder } from './pay-order';
import { MollieStandIn } from './providers/mollie/testing/mollie-stand-in';
import { providerOf } from './providers/providers';
import { StripeStandIn } from './providers/stripe/testing/stripe-stand-in';
import type { StandIn } from './providers/testing/stand-in';
import { returnMoney } from './return-money';

const shops: Record<Company, StandIn> = { stripe: new StripeStandIn(), mollie: new MollieStandIn() };

beforeAll(async () => {
  failStatements();
  await Promise.all([shops.stripe.start(), shops.mollie.start()]);
});
afterEach(() => {
  for (const shop of Object.values(shops)) shop.faults.splice(0);
});
afterAll(async () => {
  await Promise.all([shops.stripe.stop(), shops.mollie.stop()]);
  await closeRedis();
  await closeDb();
});

/** Makes an order of 19.99 EUR that is paid by a provider. */
async function paidBy(name: ProviderName) {
  Object.assign(env(), { paymentProvider: name });
  const order = await createOrderFixture({ total: 3 });
  const { orderNo, saleId, paymentId } = order;
  const page = await payOrder(order.userId, orderNo);
  if (page.status !== 'payable') throw new Error(page.status);
  const shop = name === 'sandbox' ? null : shops[name];
  const pageId = shop?.idOf(page.redirectUrl) ?? '';
  if (shop) {
    shop.pay(pageId);
    await applyBooks(name, paymentId, await providerOf(name).queryState(paymentId));
  } else {
    await charge(orderNo);
    await payFor(orderNo);
  }
  await confirmPaid([order]);
  expect(await standOf(orderNo)).toBe('paid, payment succeeded');
  const { merchantId } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
  const merchant = { userId: merchantId, role: 'merchant' as const };
  let nth = 0;
  return {
    ...order,
    pageId,
    /** Decides about a part. */
    async ask(amountMinor: number): Promise<void> {
      nth += 1;
      const wish = { amountMinor, reason: 'scratched', requestId: `request-${nth}` };
      expect(await refundPart(merchant, orderNo, wish)).toMatchObject({ status: 'refunded' });
    },
    whole: () => refundOrder(merchant, orderNo, { reason: 'broken', returnStock: true }),
    send: () => returnMoney([{ paymentId }]),
    /** Returns what the provider still holds. */
    async held(): Promise<number> {
      const state = await providerOf(name).queryState(paymentId);
      return state.status === 'succeeded' ? state.amountMinor : 0;
    },
    broken: async () =>
      (await verifySale(saleId, { settleMs: 200 }))?.invariants.filter(({ ok }) => !ok).map(({ id }) => id),
    due: () => db().refundPart.count({ where: { saleId, sentAt: null } }),
    told: () => db().orderEvent.count({ where: { orderId: BigInt(orderNo), cause: 'part_returned' } }),
  };
}

describe.each(PROVIDERS)('a part of a payment by %s', (name) => {
  it('[O4 F1] goes back once, whichever statement fails, before or after it was carried out', async () => {
    const order = await paidBy(name);
    let parts = 0;
    for (const answerLost of [false, true]) {
      let isOver = false;
      for (let failsAt = 1; !isOver; failsAt += 1) {
        await order.ask(1);
        parts += 1;
        const { statements } = await underFault({ code: '08006', answerLost }, failsAt, order.send);
        isOver = statements < failsAt;
        await order.send();
        expect([failsAt, await order.held(), await order.due()]).toEqual([failsAt, 1999 - parts, 0]);
      }
    }
    expect(parts).toBeGreaterThan(12);
    expect(await order.told()).toBe(parts);
    expect(await order.broken()).toEqual([]);
  });

  it('[O4 F1] goes back once, by many processes at once, and by one that stood still for long', async () => {
    const order = await paidBy(name);
    await order.ask(500);
    await order.ask(300);
    await Promise.all([1, 2, 3, 4].map(order.send));
    expect([await order.held(), await order.told()]).toEqual([1199, 2]);
    const { paymentId } = order;
    const key = `part ${paymentId} 1 1`;
    const again = { paymentId, amountMinor: 500, currency: 'EUR', key };
    expect(await providerOf(name).refundPart(again)).toEqual({ status: 'sent' });
    expect(await order.held()).toBe(1199);
    expect(await providerOf(name).refundPart({ ...again, amountMinor: 1200, key: 'other' })).toMatchObject({
      status: 'refused',
    });
  });

  it('[O4 I9] goes along with the whole refund, which sends the rest, also at the same moment', async () => {
    const order = await paidBy(name);
    await order.ask(500);
    await order.send();
    await order.ask(300);
    await order.whole();
    await Promise.all([1, 2, 3].map(() => order.send().catch(() => 0)));
    await order.send();
    expect([await order.held(), await order.due(), await order.told()]).toEqual([0, 0, 2]);
    expect(await standOf(order.orderNo)).toBe('refunded, payment refunded');
    expect(await order.broken()).toEqual([]);
  });
});

describe.each(COMPANIES)('a part of a payment by the company %s', (name) => {
  const shop = shops[name];
  /** Mollie repeats what it said to a key for an hour, also its own faults, and our key changes only when it sends something. */
  const anHourLater = () => name === 'mollie' && shop.forgetKeys();

  it.each(['lost', 429, 500] as const)('[O4 F1] goes back once although an answer is: %s', async (fault) => {
    const order = await paidBy(name);
    // Too often asked is asked again by us, once; everything else by the SDK, until it gives up.
    const faults = Array.from({ length: fault === 429 ? 1 : 3 }, () => fault);
    // The state, the session, the refund.
    for (const before of [0, 1, 2]) {
      const held = await order.held();
      await order.ask(100);
      shop.faults.push(...Array(before).fill('none'), ...faults);
      await order.send().catch(() => 0);
      shop.faults.splice(0);
      if (fault === 500) anHourLater();
      await order.send();
      expect([before, await order.held(), await order.due()]).toEqual([before, held - 100, 0]);
    }
    expect(await order.broken()).toEqual([]);
  });

  it('[O4 F1] is not sent again when the company has forgotten the key of a lost answer', async () => {
    const order = await paidBy(name);
    await order.ask(500);
    shop.faults.push('none', 'none', 'lost', 'lost', 'lost');
    await expect(order.send()).rejects.toThrow();
    shop.faults.splice(0);
    expect([await order.held(), await order.due()]).toEqual([1499, 1]);
    expect(await order.broken()).toEqual([]);
    shop.forgetKeys();
    expect(await order.send()).toBe(1);
    expect([await order.held(), await order.due()]).toEqual([1499, 0]);
  });

  it('[O4] that the company refuses takes another key, and does not hold up the whole refund', async () => {
    const order = await paidBy(name);
    await order.ask(500);
    shop.faults.push('none', 'none', 'empty');
    await expect(order.send()).rejects.toThrow('balance_insufficient');
    anHourLater();
    expect([await order.held(), await order.due()]).toEqual([1999, 1]);
    expect(await order.broken()).toEqual([]);
    await order.send();
    expect([await order.held(), await order.due()]).toEqual([1499, 0]);
    await order.ask(500);
    shop.faults.push('none', 'none', 'empty');
    await expect(order.send()).rejects.toThrow('balance_insufficient');
    anHourLater();
    await order.whole();
    await order.send();
    expect([await order.held(), await order.broken()]).toEqual([0, []]);
  });

  it('[O4 C8] counts what staff sent back at the company itself, which else waits for a person', async () => {
    const order = await paidBy(name);
    shop.sendBack(order.pageId, 300);
    expect(await order.broken()).toEqual([8]);
    for (let asked = 0; asked < 3; asked += 1) {
      await db().$executeRaw`UPDATE payments SET next_query_at = now() WHERE id = ${order.paymentId}`;
      await askLatePayments();
    }
    const letters = await db().deadLetter.findMany({ where: { orderNo: BigInt(order.orderNo) } });
    expect(letters).toMatchObject([{ consumer: 'provider-books', resolvedAt: null }]);
    expect(letters[0]?.error).toContain('16.99 EUR beside 3.00 EUR that went back');
    expect(await standOf(order.orderNo)).toBe('paid, payment succeeded');
    // The same amount, entered here, is not sent once more.
    await order.ask(300);
    await order.send();
    expect([await order.held(), await order.due(), await order.broken()]).toEqual([1699, 0, []]);
    shop.sendBack(order.pageId, 100);
    await order.ask(500);
    await order.send();
    expect([await order.held(), await order.broken()]).toEqual([1199, []]);
  });
});
