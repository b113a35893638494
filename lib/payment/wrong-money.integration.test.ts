import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { readNotices } from '@/lib/order/read-notices';
import { readPointsWrites } from '@/lib/order/read-points-writes';
import { sandbox } from '@/lib/payment/providers/sandbox/provider';
import { askAgain } from '@/lib/payment/records/ask-again';
import type { Money } from '@/lib/payment/records/types';
import { createOrderFixture, standOf, tellHistory, topicsOf } from '@/lib/purchase/testing/order-fixture';
import { charge, payFor, succeeded } from '@/lib/purchase/testing/pay-for';
import { countStock, makeOverdue } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { verifySale } from '@/lib/verify/verify-sale';
import { applyPaymentEvent } from './apply-payment-event';
import { askLatePayments } from './ask-provider';
import { payOrder } from './pay-order';
import { releaseUnpaid } from './release-unpaid';
import { returnMoney } from './return-money';

const LESS = { amountMinor: 1500 };
const DOLLARS = { currency: 'USD' };

beforeEach(() => db().$executeRaw`UPDATE payments SET next_query_at = NULL WHERE next_query_at IS NOT NULL`);
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await closeRedis();
  await closeDb();
});

/** Creates an order of 19.99 EUR whose shopper has gone to the provider. */
async function openedOrder(options: Parameters<typeof createOrderFixture>[0] = { total: 3 }) {
  const order = await createOrderFixture(options);
  expect(await payOrder(order.userId, order.orderNo)).toMatchObject({ status: 'payable' });
  return order;
}

const refund = ({ paymentId }: { paymentId: string }) => returnMoney([{ paymentId }]);
const lettersOf = (paymentId: string) =>
  db().deadLetter.findMany({
    where: { consumer: 'provider-books', payload: { path: ['paymentId'], equals: paymentId } },
  });
const broken = async (saleId: string) =>
  (await verifySale(saleId, { settleMs: 200 }))?.invariants
    .filter(({ ok }) => !ok)
    .map(({ detail }) => detail);
const inSandbox = (paymentId: string) => db().sandboxPayment.findUnique({ where: { paymentId } });
const setSandbox = (paymentId: string, money: Partial<Money & { refundedAt: Date | null }>) =>
  db().sandboxPayment.update({ where: { paymentId }, data: money });

describe('a callback with other money than was asked for', () => {
  it('[I1 I9] is asked about all the same when the exact success comes right after it', async () => {
    const { orderNo, paymentId } = await openedOrder();
    expect(await applyPaymentEvent('sandbox', await succeeded(orderNo, LESS))).toBe('mismatch');
    expect(await applyPaymentEvent('sandbox', await charge(orderNo))).toBe('applied');
    const { nextQueryAt } = await db().payment.findFirstOrThrow({ where: { id: paymentId } });
    expect(nextQueryAt).not.toBeNull();
    expect(await askLatePayments()).toMatchObject({ asked: 1, failed: 0 });
    expect(await standOf(orderNo)).toBe('paid, payment succeeded');
  });

  it.each([
    ['a smaller amount', LESS],
    ['another currency', DOLLARS],
  ])(
    '[I1 I9 C6] %s that the provider holds goes back in full; the order ends and its unit is for sale again',
    async (_name, other) => {
      const order = await openedOrder();
      const { orderNo, saleId, paymentId } = order;
      expect(await applyPaymentEvent('sandbox', await charge(orderNo, other))).toBe('mismatch');
      expect(await standOf(orderNo)).toBe('pending_payment, payment pending');
      // Opening the payment page again does not delay the question to the provider.
      await payOrder(order.userId, orderNo);
      const sendBack = vi.spyOn(sandbox, 'refund');
      expect(await askLatePayments()).toEqual({ asked: 1, applied: 1, failed: 0 });
      expect(await standOf(orderNo)).toBe('cancelled, payment refund_due');
      expect(await countStock(saleId)).toEqual({
        redis: { available: 3, held: 0, sold: 0 },
        postgres: { held: 0, sold: 0 },
      });
      expect(await broken(saleId)).toEqual([]);

      const taken = { amountMinor: 1999, currency: 'EUR', ...other };
      expect(await refund(order)).toBe(1);
      expect(sendBack.mock.calls).toEqual([[{ paymentId, ...taken }]]);
      expect(await standOf(orderNo)).toBe('cancelled, payment refunded');
      expect(await inSandbox(paymentId)).toMatchObject({ ...taken, refundedAt: expect.any(Date) });
      expect((await tellHistory(orderNo)).slice(2)).toEqual([
        'payment_mismatch: pending_payment → cancelled by provider',
        'money_returned: cancelled → cancelled by system',
      ]);
      const [returned] = await db().$queryRaw<object[]>`
        SELECT data FROM order_events WHERE order_id = ${BigInt(orderNo)} AND cause = 'money_returned'`;
      expect(returned).toMatchObject({ data: taken });
      expect(await topicsOf(orderNo)).toEqual([
        'payments/late',
        'in-app payment_mismatch',
        'mail payment_mismatch',
        'in-app order_refunded',
        'mail order_refunded',
      ]);
      expect(await db().payment.findFirst({ where: { id: paymentId } })).toMatchObject({
        amountMinor: 1999,
        currency: 'EUR',
        takenMinor: taken.amountMinor,
        takenCurrency: taken.currency,
      });
      expect(await payFor(orderNo)).toBe('repeated');
      expect(await broken(saleId)).toEqual([]);
    },
  );

  it('[I1] pays the order if the provider holds the exact money after all', async () => {
    const { orderNo, saleId } = await openedOrder();
    await charge(orderNo);
    expect(await applyPaymentEvent('sandbox', await succeeded(orderNo, LESS))).toBe('mismatch');
    expect(await askLatePayments()).toEqual({ asked: 1, applied: 1, failed: 0 });
    expect(await standOf(orderNo)).toBe('paid, payment succeeded');
    expect(await broken(saleId)).toEqual([]);
  });

  it('[I1] moves nothing if the provider holds nothing, also where nobody had opened the payment; it can be paid', async () => {
    for (const order of [await openedOrder(), await createOrderFixture()]) {
      const { orderNo, saleId } = order;
      expect(await applyPaymentEvent('sandbox', await succeeded(orderNo, LESS))).toBe('mismatch');
      expect(await askLatePayments()).toEqual({ asked: 1, applied: 0, failed: 0 });
      expect(await standOf(orderNo)).toBe('pending_payment, payment pending');
      expect(await broken(saleId)).toEqual([]);
      expect(await payFor(orderNo)).toBe('applied');
    }
  });

  it('[I1 I5] is not forgotten while the provider can’t be asked', async () => {
    const { orderNo, saleId, paymentId } = await openedOrder();
    await applyPaymentEvent('sandbox', await charge(orderNo, LESS));
    const down = vi.spyOn(sandbox, 'queryState').mockRejectedValue(new Error('down'));
    expect(await askLatePayments()).toEqual({ asked: 1, applied: 0, failed: 1 });
    await makeOverdue([orderNo]);
    await releaseUnpaid([orderNo]);
    expect(await standOf(orderNo)).toBe('cancelled, payment pending');
    await db().$executeRaw`UPDATE payments SET opened_at = now() - interval '3 days' WHERE id = ${paymentId}`;
    await askAgain(db(), [paymentId]);
    expect(await askLatePayments()).toEqual({ asked: 1, applied: 0, failed: 1 });
    down.mockRestore();
    await db()
      .$executeRaw`UPDATE payments SET next_query_at = now() WHERE id = ${paymentId} AND next_query_at IS NOT NULL`;
    expect(await askLatePayments()).toEqual({ asked: 1, applied: 1, failed: 0 });
    expect(await returnMoney([{ paymentId }])).toBe(1);
    expect((await tellHistory(orderNo)).slice(2)).toEqual([
      'expired: pending_payment → cancelled by system',
      'payment_mismatch: cancelled → cancelled by provider',
      'money_returned: cancelled → cancelled by system',
    ]);
    expect(await broken(saleId)).toEqual([]);
  });

  it('[I1 C6] ten callbacks and ten questions at once send it back once and release one unit', async () => {
    const order = await openedOrder();
    const event = await charge(order.orderNo, LESS);
    await Promise.all(
      Array.from({ length: 10 }, (_, nth) => [
        applyPaymentEvent('sandbox', { ...event, webhookId: `${event.webhookId}-${nth}` }),
        askLatePayments(),
      ]).flat(),
    );
    await askLatePayments();
    expect((await Promise.all([refund(order), refund(order), refund(order)])).sort()).toEqual([0, 0, 1]);
    expect(await standOf(order.orderNo)).toBe('cancelled, payment refunded');
    expect((await countStock(order.saleId)).redis).toEqual({ available: 3, held: 0, sold: 0 });
    expect(await broken(order.saleId)).toEqual([]);
  });
});

describe('other money that is found without a callback', () => {
  it('[I5 C7] at the deadline: the order ends once, by the money and not by its time', async () => {
    const { orderNo, saleId } = await openedOrder();
    await charge(orderNo, LESS);
    await makeOverdue([orderNo]);
    expect(await releaseUnpaid([orderNo])).toEqual([]);
    expect((await tellHistory(orderNo)).at(-1)).toBe(
      'payment_mismatch: pending_payment → cancelled by provider',
    );
    expect((await countStock(saleId)).redis).toEqual({ available: 3, held: 0, sold: 0 });
    expect(await broken(saleId)).toEqual([]);
  });

  it('[I10] after it: it is never kept, although the unit is free', async () => {
    const order = await openedOrder();
    const { orderNo, saleId, paymentId } = order;
    await makeOverdue([orderNo]);
    await releaseUnpaid([orderNo]);
    await charge(orderNo, LESS);
    await askAgain(db(), [paymentId]);
    expect(await askLatePayments()).toEqual({ asked: 1, applied: 1, failed: 0 });
    expect(await refund(order)).toBe(1);
    expect(await standOf(orderNo)).toBe('cancelled, payment refunded');
    expect(await inSandbox(paymentId)).toMatchObject({ amountMinor: 1500, refundedAt: expect.any(Date) });
    expect(await broken(saleId)).toEqual([]);
  });

  it('[I10] what is due back is what the provider holds, not what we have booked', async () => {
    const order = await openedOrder({ total: 1 });
    const { orderNo, paymentId } = order;
    await makeOverdue([orderNo]);
    await releaseUnpaid([orderNo]);
    await db().$executeRaw`UPDATE sales SET sold_stock = 1 WHERE id = ${order.saleId}`;
    expect(await payFor(orderNo)).toBe('late');
    await setSandbox(paymentId, { amountMinor: 2 * 1999 });
    expect(await refund(order)).toBe(1);
    expect(await inSandbox(paymentId)).toMatchObject({ refundedAt: expect.any(Date) });
    expect(await db().payment.findFirst({ where: { id: paymentId } })).toMatchObject({
      status: 'refunded',
      takenMinor: 3998,
      takenCurrency: 'EUR',
    });
  });

  it('[I3] what is told of it is what went back; points go by what the order cost', async () => {
    const order = await openedOrder();
    const { orderNo, paymentId } = order;
    const message = (kind: string) => ({ id: '1', attempts: 0, payload: { orderNo, kind, key: 'k' } });
    const pointsOf = async (kind: string) => (await readPointsWrites([message(kind)]))[0]?.points;
    const told = async (kind: string) => (await readNotices([message(kind)]))[0];
    await payFor(orderNo);
    const earned = (await pointsOf('earned')) ?? 0;
    await setSandbox(paymentId, { amountMinor: 50_000 });
    await db()
      .$executeRaw`UPDATE payments SET status = 'refund_due', refund_decided_at = now() WHERE id = ${paymentId}`;
    await refund(order);
    expect(await told('order_refunded')).toMatchObject({ amountMinor: 50_000, currency: 'EUR' });
    expect(await told('price_changed')).toMatchObject({ amountMinor: 1999, currency: 'EUR' });
    expect(earned).toBeGreaterThan(0);
    expect(await pointsOf('taken_back')).toBe(-earned);
  });

  it('[I10] a refund that the provider has made, but could not tell, is not made again; one it can’t make stays due', async () => {
    const order = await openedOrder({ total: 1 });
    await makeOverdue([order.orderNo]);
    await releaseUnpaid([order.orderNo]);
    await db().$executeRaw`UPDATE sales SET sold_stock = 1 WHERE id = ${order.saleId}`;
    await payFor(order.orderNo);
    const unknown = vi.spyOn(sandbox, 'queryState').mockResolvedValue({ status: 'unknown' });
    await expect(refund(order)).rejects.toThrow('holds no money');
    expect(await standOf(order.orderNo)).toBe('cancelled, payment refund_due');
    unknown.mockRestore();
    await setSandbox(order.paymentId, { refundedAt: new Date() });
    const sendBack = vi.spyOn(sandbox, 'refund');
    expect(await refund(order)).toBe(1);
    expect(sendBack).not.toHaveBeenCalled();
  });
});

describe('money that comes again', () => {
  it('[F4] a second success under another id is asked about; taken twice, it is put in front of a person, once', async () => {
    const { orderNo, saleId, paymentId } = await openedOrder();
    expect(await payFor(orderNo)).toBe('applied');
    expect(await applyPaymentEvent('sandbox', await succeeded(orderNo))).toBe('repeated');
    expect(await askLatePayments()).toEqual({ asked: 1, applied: 0, failed: 0 });
    expect(await lettersOf(paymentId)).toEqual([]);

    await setSandbox(paymentId, { amountMinor: 2 * 1999 });
    // The provider's books may be behind: staff are told after three equal answers.
    for (const letters of [0, 0, 1, 1, 1, 1]) {
      await applyPaymentEvent('sandbox', await succeeded(orderNo));
      expect(await askLatePayments()).toEqual({ asked: 1, applied: 0, failed: 0 });
      expect(await lettersOf(paymentId)).toHaveLength(letters);
    }
    expect(await lettersOf(paymentId)).toMatchObject([
      {
        saleId,
        orderNo: BigInt(orderNo),
        resolvedAt: null,
        error: `payment ${paymentId} is booked here as succeeded, 19.99 EUR; sandbox says succeeded, 39.98 EUR`,
      },
    ]);
    expect(await standOf(orderNo)).toBe('paid, payment succeeded');
    expect(await broken(saleId)).toEqual([
      `order ${orderNo}: 19.99 EUR booked as succeeded, the provider sandbox says 39.98 EUR`,
    ]);
  });

  it('[I10] a success after the refund is asked about, and what is held again is put in front of a person', async () => {
    const order = await openedOrder({ total: 1 });
    const { orderNo, paymentId, saleId } = order;
    await applyPaymentEvent('sandbox', await charge(orderNo, LESS));
    await askLatePayments();
    expect(await refund(order)).toBe(1);
    await setSandbox(paymentId, { refundedAt: null });
    expect(await applyPaymentEvent('sandbox', await succeeded(orderNo))).toBe('repeated');
    for (const _ of [1, 2, 3]) {
      await askAgain(db(), [paymentId]);
      expect(await askLatePayments()).toEqual({ asked: 1, applied: 0, failed: 0 });
    }
    expect(await lettersOf(paymentId)).toMatchObject([{ saleId, resolvedAt: null }]);
    expect(await standOf(orderNo)).toBe('cancelled, payment refunded');
    expect(await broken(saleId)).toEqual([
      `order ${orderNo}: 15.00 EUR booked as sent back, the provider sandbox still holds 15.00 EUR`,
    ]);
  });
});
