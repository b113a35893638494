import { afterAll, describe, expect, it, vi } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { findHistory } from '@/lib/order/find-history';
import { sandbox } from '@/lib/payment/providers/sandbox/provider';
import { returnMoney } from '@/lib/payment/return-money';
import { sweep } from '@/lib/payment/sweep';
import { createOrderFixture, standOf, tellHistory, topicsOf } from '@/lib/purchase/testing/order-fixture';
import { payFor } from '@/lib/purchase/testing/pay-for';
import { countStock } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { confirmPaid } from '@/lib/settlement/confirm-paid';
import { settleConfirmed } from '@/lib/settlement/settle-confirmed';
import { verifySale } from '@/lib/verify/verify-sale';
import { makeUser } from '@/test/support/make-sale';
import { cancelManagedOrder } from './cancel-managed-order';
import { readManagedOrder } from './read-managed-order';
import { refundOrder } from './refund-order';

afterAll(async () => {
  await closeRedis();
  await closeDb();
});

async function withMerchant(order: Awaited<ReturnType<typeof createOrderFixture>>) {
  const { merchantId } = await db().sale.findUniqueOrThrow({ where: { id: order.saleId } });
  return { ...order, merchant: { userId: merchantId, role: 'merchant' as const } };
}

/** Makes a paid order, with its units already counted as sold or not yet. */
async function paidOrder({ isCounted = true, total = 3 } = {}) {
  const order = await withMerchant(await createOrderFixture({ total }));
  await payFor(order.orderNo);
  if (isCounted) await confirmPaid([order]);
  return order;
}
const totalsOf = async (saleId: string) => {
  const [sale, total] = await Promise.all([
    db().sale.findUniqueOrThrow({ where: { id: saleId } }),
    stockRedis().hget(keys.sale(saleId), 'total'),
  ]);
  return { postgres: sale.totalStock, redis: Number(total) };
};
const broken = async (saleId: string) =>
  (await verifySale(saleId, { settleMs: 200 }))?.invariants.filter(({ ok }) => !ok);
const NOTHING_COMMITTED = { postgres: { held: 0, sold: 0 } };

describe('refundOrder', () => {
  it('[I9 C6] sends the money back and puts the unit on sale again', async () => {
    const { orderNo, saleId, merchant, paymentId } = await paidOrder();
    const refund = { reason: 'scratched', returnStock: true };
    const result = await refundOrder(merchant, orderNo, refund);
    expect(result).toMatchObject({
      status: 'refunded',
      order: { status: 'refunded', payment: { status: 'refund_due' } },
    });
    expect(await returnMoney([{ paymentId }])).toBe(1);
    expect(await standOf(orderNo)).toBe('refunded, payment refunded');
    expect(await countStock(saleId)).toEqual({
      redis: { available: 3, held: 0, sold: 0 },
      ...NOTHING_COMMITTED,
    });
    expect((await tellHistory(orderNo)).slice(3)).toEqual([
      'refund_requested: paid → refunded by merchant',
      'money_returned: refunded → refunded by system',
    ]);
    expect((await topicsOf(orderNo)).slice(4)).toEqual([
      'payments/late',
      'points taken_back',
      'in-app order_refunded',
      'mail order_refunded',
    ]);
    expect(await broken(saleId)).toEqual([]);
  });

  it('[I9 C6] or writes the unit off: it is not sold again', async () => {
    const { orderNo, saleId, merchant } = await paidOrder();
    await refundOrder(merchant, orderNo, { reason: 'broken', returnStock: false });
    expect(await countStock(saleId)).toEqual({
      redis: { available: 2, held: 0, sold: 0 },
      ...NOTHING_COMMITTED,
    });
    expect(await totalsOf(saleId)).toEqual({ postgres: 2, redis: 2 });
    expect(await broken(saleId)).toEqual([]);
  });

  it.each([true, false])(
    '[C6 F5] a payment that was not counted yet never will be (returnStock %s)',
    async (returnStock) => {
      const { orderNo, saleId, merchant, ...order } = await paidOrder({ isCounted: false });
      await refundOrder(merchant, orderNo, { reason: 'x', returnStock });
      await confirmPaid([{ ...order, saleId, orderNo }]);
      expect(await countStock(saleId)).toEqual({
        redis: { available: returnStock ? 3 : 2, held: 0, sold: 0 },
        ...NOTHING_COMMITTED,
      });
      expect(await broken(saleId)).toEqual([]);
      expect(await db().deadLetter.count({ where: { saleId } })).toBe(0);
    },
  );

  it('[C6] a confirmation that was held up and arrives after the refund raises no alarm', async () => {
    const { orderNo, saleId, userId, merchant } = await paidOrder();
    await refundOrder(merchant, orderNo, { reason: 'x', returnStock: true });
    await settleConfirmed([{ orderNo, saleId, userId }]);
    expect(await db().deadLetter.count({ where: { saleId } })).toBe(0);
    expect((await countStock(saleId)).redis).toEqual({ available: 3, held: 0, sold: 0 });
  });

  it('[F5 C6] ten clicks, racing the count, are one refund', async () => {
    const { orderNo, saleId, merchant, paymentId } = await paidOrder({ isCounted: false });
    const provider = vi.spyOn(sandbox, 'refund');
    const clicks = Array.from({ length: 10 }, () =>
      refundOrder(merchant, orderNo, { reason: 'x', returnStock: true }),
    );
    const results = await Promise.all([...clicks, confirmPaid([{ saleId, orderNo }])]);
    expect(results.slice(0, 10)).toMatchObject(Array.from({ length: 10 }, () => ({ status: 'refunded' })));
    await Promise.all([returnMoney([{ paymentId }]), returnMoney([{ paymentId }])]);
    expect(new Set(provider.mock.calls.map(([ref]) => ref.paymentId)).size).toBe(1);
    provider.mockRestore();
    expect((await tellHistory(orderNo)).filter((line) => line.startsWith('refund_requested'))).toHaveLength(
      1,
    );
    expect((await countStock(saleId)).redis).toEqual({ available: 3, held: 0, sold: 0 });
    expect(await broken(saleId)).toEqual([]);
  });

  it('[C6] what did not reach Redis is swept', async () => {
    const { orderNo, saleId, merchant } = await paidOrder();
    await refundOrder(merchant, orderNo, { reason: 'x', returnStock: true });
    // As if the process had died before it told Redis.
    await stockRedis().hset(keys.sale(saleId), { available: 2, sold: 1 });
    const buyers = await stockRedis().hgetall(keys.buyers(saleId));
    for (const [user, record] of Object.entries(buyers)) {
      await stockRedis().hset(keys.buyers(saleId), user, record.replace(/r$/, 's'));
    }
    await db().$executeRaw`
      UPDATE orders SET stock_settled_at = NULL, updated_at = now() - interval '1 minute' WHERE sale_id = ${saleId}`;
    await sweep();
    expect((await countStock(saleId)).redis).toEqual({ available: 3, held: 0, sold: 0 });
    expect(await broken(saleId)).toEqual([]);
  });

  it('[L4] not what is unpaid, and not another merchant’s', async () => {
    const unpaid = await withMerchant(await createOrderFixture());
    const refund = { reason: 'x', returnStock: true };
    expect(await refundOrder(unpaid.merchant, unpaid.orderNo, refund)).toEqual({
      status: 'not_refundable',
      is: 'pending_payment',
    });
    const paid = await paidOrder();
    expect(await refundOrder(await makeUser('merchant'), paid.orderNo, refund)).toEqual({
      status: 'not_found',
    });
    expect(await refundOrder(paid.merchant, 'nonsense', refund)).toEqual({ status: 'not_found' });
    expect(await readManagedOrder(await makeUser('merchant'), paid.orderNo)).toBeNull();
    expect(await standOf(paid.orderNo)).toBe('paid, payment succeeded');
  });
});

describe('cancelManagedOrder', () => {
  it('[I9 C6] cancels what is unpaid, gives the unit back and tells the shopper; once', async () => {
    const { orderNo, saleId, merchant, userId } = await withMerchant(await createOrderFixture({ total: 3 }));
    const cancel = () => cancelManagedOrder(merchant, orderNo, 'misprint');
    const results = await Promise.all([cancel(), cancel(), cancel()]);
    expect(results.map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect((await countStock(saleId)).redis).toEqual({ available: 3, held: 0, sold: 0 });
    expect(await topicsOf(orderNo)).toEqual(['in-app order_cancelled', 'mail order_cancelled']);
    expect(await readManagedOrder(merchant, orderNo)).toMatchObject({
      endReason: 'cancelled_by_merchant',
      userId,
      history: [
        {},
        {},
        { cause: 'cancelled_by_merchant', data: { reason: 'misprint' }, actor: { id: merchant.userId } },
      ],
    });
    // The shopper sees that it happened, but neither who did it nor the shop's own words.
    const lines = await findHistory({ userId }, orderNo);
    expect(lines?.at(-1)).toEqual({
      at: expect.any(Number),
      cause: 'cancelled_by_merchant',
      from: 'pending_payment',
      to: 'cancelled',
      amountMinor: null,
      currency: null,
    });
    expect(await findHistory({ userId: 'user_stranger' }, orderNo)).toBeNull();
  });

  it('[C6] not what is paid', async () => {
    const { orderNo, merchant } = await paidOrder();
    expect(await cancelManagedOrder(merchant, orderNo, 'x')).toEqual({
      status: 'not_cancellable',
      is: 'paid',
    });
  });
});

describe('the history', () => {
  it('[I9] cannot be changed or deleted', async () => {
    const { orderNo } = await paidOrder();
    const where = { orderId: BigInt(orderNo) };
    await expect(db().orderEvent.updateMany({ where, data: { cause: 'x' } })).rejects.toThrow('append-only');
    await expect(db().orderEvent.deleteMany({ where })).rejects.toThrow('append-only');
    await expect(db().$executeRaw`TRUNCATE order_events`).rejects.toThrow('append-only');
    expect(await db().orderEvent.count({ where })).toBe(1);
  });
});
