import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { verifySale } from '@/lib/admin/verify/verify-sale';
import type { LateMoney } from '@/lib/contract/words/sale';
import { closeDb, db } from '@/lib/db/client';
import { releaseOrderNos } from '@/lib/order/issue-order-no';
import { sandbox } from '@/lib/payment/sandbox/provider';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { forgetSaleInfo } from '@/lib/sale/find-sale-info';
import { reacquireStock } from '@/lib/stock/reacquire-stock';
import { readPlace } from '@/lib/waitlist/read-place';
import { releaseUnpaid } from '../order/release-unpaid';
import { sweep } from '../order/sweep';
import { ensureStockLoaded } from '../recovery/ensure-stock-loaded';
import { drainOutbox } from '../testing/drain-outbox';
import { createOrderFixture, standOf, tellHistory, topicsOf } from '../testing/order-fixture';
import { charge, payFor, succeeded } from '../testing/pay-for';
import { buy, countStock, makeOverdue } from '../testing/sale-fixture';
import { join, soldOut } from '../waitlist/testing/waitlist-fixture';
import { applyPaymentEvent } from './apply-payment-event';
import { refundLate } from './refund-late';

afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await releaseOrderNos();
  await Promise.all([closeRedis(), closeDb()]);
});

async function choose(saleId: string, lateMoney: LateMoney): Promise<void> {
  await db().sale.update({ where: { id: saleId }, data: { lateMoney } });
  await forgetSaleInfo(saleId);
}

/** Creates an order of a sale that sends late money back. Its time has run out. */
async function lateOrder(options: Parameters<typeof createOrderFixture>[0] = {}) {
  const order = await createOrderFixture({ total: 1, ...options });
  await choose(order.saleId, 'refund');
  await makeOverdue([order.orderNo]);
  await releaseUnpaid([order.orderNo]);
  return { ...order, messages: [{ paymentId: order.paymentId }] };
}

const isSound = async (saleId: string) => {
  const verification = await verifySale(saleId, { settleMs: 200 });
  return verification?.invariants.filter(({ ok }) => !ok).map(({ detail }) => detail);
};
const FREE = { redis: { available: 1, held: 0, sold: 0 }, postgres: { held: 0, sold: 0 } };
/** Refunds that the provider was asked for, by payment. */
const countRefunds = () => vi.spyOn(sandbox, 'refund');

describe('[M3 I10] a sale that sends late money back', () => {
  it('does so although the unit is free, tells it, and leaves the unit for sale', async () => {
    const order = await lateOrder();
    expect(await payFor(order.orderNo)).toBe('late');
    expect(await refundLate(order.messages)).toBe(1);
    expect(await standOf(order.orderNo)).toBe('cancelled, payment refunded');
    expect(await countStock(order.saleId)).toEqual(FREE);
    expect((await tellHistory(order.orderNo)).slice(3)).toEqual([
      'payment_late: cancelled → cancelled by provider',
      'money_returned: cancelled → cancelled by system',
    ]);
    expect((await topicsOf(order.orderNo)).slice(1)).toEqual([
      'in-app order_refunded',
      'mail order_refunded',
    ]);
    expect(await isSound(order.saleId)).toEqual([]);
  });

  it('does so once, whoever handles it at once, however often the callback comes, and in whatever order', async () => {
    const order = await lateOrder();
    const event = await charge(order.orderNo);
    const outcomes = await Promise.all([1, 2, 3].map(() => applyPaymentEvent('sandbox', event)));
    expect(outcomes.toSorted()).toEqual(['late', 'repeated', 'repeated']);
    const refund = countRefunds();
    const counts = await Promise.all(Array.from({ length: 5 }, () => refundLate(order.messages)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(new Set(refund.mock.calls.map(([{ paymentId }]) => paymentId)).size).toBe(1);
    // Replayed, told under another name, and a failure that was overtaken.
    expect(await applyPaymentEvent('sandbox', event)).toBe('repeated');
    expect(await payFor(order.orderNo)).toBe('repeated');
    const failed = await succeeded(order.orderNo, { type: 'payment.failed' });
    expect(await applyPaymentEvent('sandbox', failed)).toBe('ignored');
    const before = refund.mock.calls.length;
    expect(await refundLate(order.messages)).toBe(0);
    expect(refund.mock.calls.length).toBe(before);
    expect(await standOf(order.orderNo)).toBe('cancelled, payment refunded');
    expect(await countStock(order.saleId)).toEqual(FREE);
    expect(await isSound(order.saleId)).toEqual([]);
  });

  it('does so by the sweep if its message was lost, and again if the provider fails', async () => {
    const order = await lateOrder();
    await payFor(order.orderNo);
    const refund = countRefunds().mockRejectedValueOnce(new Error('provider down'));
    await expect(refundLate(order.messages)).rejects.toThrow('provider down');
    await db().$executeRaw`
      UPDATE payments SET updated_at = now() - interval '2 minutes' WHERE id = ${order.paymentId}`;
    expect(await sweep()).toMatchObject({ refunded: 1 });
    expect(refund).toHaveBeenCalledTimes(2);
    expect(await standOf(order.orderNo)).toBe('cancelled, payment refunded');
    expect(await countStock(order.saleId)).toEqual(FREE);
  });

  it('does so while the sale is paused, and after Redis was lost', async () => {
    const paused = await lateOrder();
    await db().sale.update({ where: { id: paused.saleId }, data: { paused: true } });
    await stockRedis().hset(keys.sale(paused.saleId), 'paused', 1);
    await payFor(paused.orderNo);
    expect(await refundLate(paused.messages)).toBe(1);
    expect(await standOf(paused.orderNo)).toBe('cancelled, payment refunded');
    const lost = await lateOrder();
    await payFor(lost.orderNo);
    await stockRedis().del(keys.sale(lost.saleId), keys.buyers(lost.saleId));
    await refundLate(lost.messages).catch(() => ensureStockLoaded(lost.saleId));
    await refundLate(lost.messages);
    expect(await standOf(lost.orderNo)).toBe('cancelled, payment refunded');
    await ensureStockLoaded(lost.saleId);
    expect(await countStock(lost.saleId)).toEqual(FREE);
    expect(await isSound(lost.saleId)).toEqual([]);
  });

  it('gives back what a process of the release before had set aside as it died', async () => {
    const order = await lateOrder();
    await payFor(order.orderNo);
    const { saleId, orderNo, userId } = order;
    const { jti } = await db().order.findFirstOrThrow({ where: { saleId } });
    await reacquireStock({ saleId, orderNo, userId, jti, units: 1, as: 'sold' });
    expect(await refundLate(order.messages)).toBe(1);
    expect(await countStock(saleId)).toEqual(FREE);
    expect(await isSound(saleId)).toEqual([]);
  });

  it('still takes money that comes before the time to pay is over', async () => {
    const order = await createOrderFixture({ total: 1 });
    await choose(order.saleId, 'refund');
    expect(await payFor(order.orderNo)).toBe('applied');
    expect(await standOf(order.orderNo)).toBe('paid, payment succeeded');
  });
});

describe.each(['retake', 'refund'] as const)(
  '[M2 M3] in a sale with a waitlist, late money: %s',
  (lateMoney) => {
    it('never takes a unit from whoever it was given on to', async () => {
      const sale = await soldOut();
      const { saleId, userIds } = sale;
      await choose(saleId, lateMoney);
      const [first = '', next = ''] = userIds;
      const { orderNo } = await buy(sale, first);
      await join(sale, next);
      await drainOutbox(saleId);
      await makeOverdue([orderNo]);
      await releaseUnpaid([orderNo]);
      await payFor(orderNo);
      expect(await refundLate([{ paymentId: `pay_${orderNo}` }])).toBe(1);
      expect(await standOf(orderNo)).toBe('cancelled, payment refunded');
      const place = await readPlace(saleId, next);
      expect(place).toMatchObject({ state: 'given' });
      await drainOutbox(saleId);
      expect(await payFor(place?.orderNo ?? '')).toBe('applied');
      expect(await standOf(place?.orderNo ?? '')).toBe('paid, payment succeeded');
    });

    it('where nobody waits, goes by the choice', async () => {
      const sale = await soldOut();
      const { saleId, userIds } = sale;
      await choose(saleId, lateMoney);
      const { orderNo } = await buy(sale, userIds[0] as string);
      await drainOutbox(saleId);
      await makeOverdue([orderNo]);
      await releaseUnpaid([orderNo]);
      await payFor(orderNo);
      await refundLate([{ paymentId: `pay_${orderNo}` }]);
      const isKept = lateMoney === 'retake';
      expect(await standOf(orderNo)).toBe(isKept ? 'paid, payment succeeded' : 'cancelled, payment refunded');
      // Whoever joins now gets the unit that was left.
      if (!isKept) expect(await join(sale, userIds[1] as string)).not.toMatchObject({ status: 'joined' });
    });
  },
);
