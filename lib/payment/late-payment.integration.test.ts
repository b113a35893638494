import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { blockSubjects } from '@/lib/block/block-subjects';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { ensureStockLoaded } from '@/lib/loading/ensure-stock-loaded';
import { refundOrder } from '@/lib/order/admin/refund-order';
import { cancelOrder } from '@/lib/order/cancel-order';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import { pageToken } from '@/lib/payment/providers/sandbox/page-token';
import { sandbox } from '@/lib/payment/providers/sandbox/provider';
import { readSandboxPage } from '@/lib/payment/providers/sandbox/read-page';
import { createOrderFixture, standOf, tellHistory, topicsOf } from '@/lib/purchase/testing/order-fixture';
import { payFor } from '@/lib/purchase/testing/pay-for';
import { buy, countStock, makeOverdue, readStates } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { createOrders } from '@/lib/settlement/create-orders';
import { settleReleased } from '@/lib/settlement/settle-released';
import { reacquireStock } from '@/lib/stock/reacquire-stock';
import { releaseStock } from '@/lib/stock/release-stock';
import { StockNotLoadedError } from '@/lib/stock/stock-not-loaded-error';
import { verifySale } from '@/lib/verify/verify-sale';
import { makeUser } from '@/test/support/make-sale';
import { releaseUnpaid } from './release-unpaid';
import { returnMoney } from './return-money';
import { sweep } from './sweep';

afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await closeRedis();
  await closeDb();
});

/** Creates an order whose time has run out and whose money arrives only now. */
async function lateOrder(options: Parameters<typeof createOrderFixture>[0] = {}) {
  const order = await createOrderFixture(options);
  await makeOverdue([order.orderNo]);
  await releaseUnpaid([order.orderNo]);
  return { ...order, messages: [{ paymentId: order.paymentId }] };
}

type Late = Awaited<ReturnType<typeof lateOrder>>;

/** Returns what the provider's page says of the payment. */
const toldToPayer = async ({ paymentId }: Late) =>
  (await readSandboxPage(paymentId, pageToken(paymentId)))?.status;

/** Another shopper buys the unit that came back. Postgres has not heard of it yet. */
async function buyAsAnother(sale: Late) {
  const userId = newId('user');
  await db().user.create({
    data: { id: userId, email: `${userId}@example.com`, name: 'B', passwordHash: '!' },
  });
  return buy(sale, userId);
}

async function sellToAnother(sale: Late) {
  await createOrders({ saleId: sale.saleId, orders: [await buyAsAnother(sale)] });
}

/**
 * Redis loses everything as soon as it has set the units aside for late money, and is loaded before Postgres knows of
 * them.
 */
async function loseWhatIsSetAside({ saleId }: Late, meanwhile: (epoch: number) => Promise<unknown>) {
  const stock = await import('@/lib/stock/reacquire-stock');
  const retake = stock.reacquireStock;
  vi.spyOn(stock, 'reacquireStock').mockImplementationOnce(async (order) => {
    const result = await retake(order);
    await stockRedis().del(keys.sale(saleId), keys.buyers(saleId));
    await ensureStockLoaded(saleId);
    await meanwhile((await db().sale.findUniqueOrThrow({ where: { id: saleId } })).epoch);
    return result;
  });
}

const isSound = async (saleId: string) => {
  const verification = await verifySale(saleId, { settleMs: 200 });
  return verification?.invariants.filter(({ ok }) => !ok).map(({ detail }) => detail);
};

describe('money after the deadline', () => {
  it('[I10 I9] takes the unit again if it is free: paid after all, told, and in the history', async () => {
    const order = await lateOrder({ total: 1 });
    expect(await payFor(order.orderNo)).toBe('late');
    expect(await toldToPayer(order)).toBe('checking');
    expect(await returnMoney(order.messages)).toBe(0);
    expect(await toldToPayer(order)).toBe('succeeded');
    expect(await standOf(order.orderNo)).toBe('paid, payment succeeded');
    expect(await countStock(order.saleId)).toEqual({
      redis: { available: 0, held: 0, sold: 1 },
      postgres: { held: 0, sold: 1 },
    });
    expect(await tellHistory(order.orderNo)).toEqual([
      'accepted: - → queued by shopper',
      'written: queued → pending_payment by system',
      'expired: pending_payment → cancelled by system',
      'payment_late: cancelled → cancelled by provider',
      'late_payment_kept: cancelled → paid by system',
      'confirmed: paid → paid by system',
    ]);
    expect(await topicsOf(order.orderNo)).toEqual([
      'payments/late',
      'orders/paid',
      'points earned',
      'in-app late_payment_kept',
      'mail late_payment_kept',
    ]);
    expect(await isSound(order.saleId)).toEqual([]);
  });

  it('[I10] goes back once if the unit is sold to somebody else', async () => {
    const order = await lateOrder({ total: 1 });
    await sellToAnother(order);
    expect(await payFor(order.orderNo)).toBe('late');
    expect(await toldToPayer(order)).toBe('checking');
    const refund = vi.spyOn(sandbox, 'refund');
    const counts = await Promise.all([order, order, order].map(({ messages }) => returnMoney(messages)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(new Set(refund.mock.calls.map(([{ paymentId }]) => paymentId))).toEqual(
      new Set([order.paymentId]),
    );
    expect(await returnMoney([...order.messages, { paymentId: 'pay_404' }])).toBe(0);
    expect(await payFor(order.orderNo)).toBe('repeated');
    expect(await toldToPayer(order)).toBe('refunded');
    expect(await standOf(order.orderNo)).toBe('cancelled, payment refunded');
    expect((await tellHistory(order.orderNo)).slice(3)).toEqual([
      'payment_late: cancelled → cancelled by provider',
      'money_returned: cancelled → cancelled by system',
    ]);
    expect((await countStock(order.saleId)).redis).toEqual({ available: 0, held: 1, sold: 0 });
    expect(await isSound(order.saleId)).toEqual([]);
  });

  it('[I10] goes back if the buyer has bought again meanwhile: the limit holds', async () => {
    const order = await lateOrder({ total: 5 });
    await createOrders({ saleId: order.saleId, orders: [await buy(order, order.userId)] });
    await payFor(order.orderNo);
    expect(await returnMoney(order.messages)).toBe(1);
    expect(await standOf(order.orderNo)).toBe('cancelled, payment refunded');
    expect((await countStock(order.saleId)).redis).toEqual({ available: 4, held: 1, sold: 0 });
    expect(await isSound(order.saleId)).toEqual([]);
  });

  it('[I10 P2] goes back if the buyer was blocked meanwhile: the unit came back, and would be given to them again', async () => {
    const order = await lateOrder({ total: 5 });
    await blockSubjects([
      { kind: 'user', value: order.userId, reason: 'a bot', by: 'user_admin', expiresAt: null },
    ]);
    await payFor(order.orderNo);
    expect(await returnMoney(order.messages)).toBe(1);
    expect(await standOf(order.orderNo)).toBe('cancelled, payment refunded');
    expect((await countStock(order.saleId)).redis).toEqual({ available: 5, held: 0, sold: 0 });
    expect(await isSound(order.saleId)).toEqual([]);
  });

  it('[I10] goes back if the shopper had cancelled: that was a decision', async () => {
    const order = await createOrderFixture();
    await cancelOrder(order.userId, order.orderNo);
    expect(await payFor(order.orderNo)).toBe('late');
    expect(await returnMoney([{ paymentId: order.paymentId }])).toBe(1);
    expect(await standOf(order.orderNo)).toBe('cancelled, payment refunded');
    expect((await countStock(order.saleId)).redis).toEqual({ available: 10, held: 0, sold: 0 });
  });

  it('[I10] five workers at once keep it once, also after Redis was rebuilt without the order', async () => {
    const order = await lateOrder({ total: 2 });
    await stockRedis().del(keys.sale(order.saleId), keys.buyers(order.saleId));
    await payFor(order.orderNo);
    await Promise.all(Array.from({ length: 5 }, () => returnMoney(order.messages)));
    expect(await standOf(order.orderNo)).toBe('paid, payment succeeded');
    expect(await countStock(order.saleId)).toEqual({
      redis: { available: 1, held: 0, sold: 1 },
      postgres: { held: 0, sold: 1 },
    });
    expect(await isSound(order.saleId)).toEqual([]);
  });

  it('[I10 C6] a release that was held up and arrives only now does not undo it', async () => {
    const order = await lateOrder({ total: 1 });
    await payFor(order.orderNo);
    await returnMoney(order.messages);
    expect(await releaseStock(order)).toEqual({ status: 'already_confirmed' });
    expect((await countStock(order.saleId)).redis).toEqual({ available: 0, held: 0, sold: 1 });
  });

  it('[I10 E7] a sweep that comes while it is being kept leaves it alone, and nobody is called', async () => {
    const order = await createOrderFixture({ total: 1 });
    await makeOverdue([order.orderNo]);
    const stock = await import('@/lib/stock/release-stock');
    const down = vi.spyOn(stock, 'releaseStock').mockRejectedValue(new Error('Connection is closed.'));
    await expect(releaseUnpaid([order.orderNo])).rejects.toThrow();
    down.mockRestore();
    await payFor(order.orderNo);
    // The process that keeps the money dies after Redis has set the unit aside.
    const { jti } = await db().order.findFirstOrThrow({ where: { saleId: order.saleId } });
    const { saleId, orderNo, userId } = order;
    await reacquireStock({ saleId, orderNo, userId, jti, units: 1, as: 'sold' });
    await settleReleased([{ saleId, orderNo, userId }]);
    expect(await db().deadLetter.count({ where: { saleId } })).toBe(0);
    expect((await readStates(saleId)).get(orderNo)).toMatchObject({ status: 'cancelled', isSettled: false });
    await returnMoney([{ paymentId: order.paymentId }]);
    await settleReleased([{ saleId, orderNo, userId }]);
    expect(await standOf(orderNo)).toBe('paid, payment succeeded');
    expect(await isSound(saleId)).toEqual([]);
  });

  it('[I10 C6] a run that stood still gives back what it takes after the order was kept and refunded', async () => {
    const order = await lateOrder({ total: 1 });
    await payFor(order.orderNo);
    const stock = await import('@/lib/stock/reacquire-stock');
    const retake = stock.reacquireStock;
    vi.spyOn(stock, 'reacquireStock').mockImplementationOnce(async (asked) => {
      await returnMoney(order.messages);
      expect(await standOf(order.orderNo)).toBe('paid, payment succeeded');
      await refundOrder(await makeUser('admin'), order.orderNo, { reason: 'broken', returnStock: true });
      expect(await returnMoney(order.messages)).toBe(1);
      return retake(asked);
    });
    expect(await returnMoney(order.messages)).toBe(0);
    expect(await standOf(order.orderNo)).toBe('refunded, payment refunded');
    expect((await countStock(order.saleId)).redis).toEqual({ available: 1, held: 0, sold: 0 });
    expect(await isSound(order.saleId)).toEqual([]);
  });

  it('[I10 J4] goes back if Redis, loaded anew while it was being kept, has sold the unit: nobody with a 202 is cancelled', async () => {
    const order = await lateOrder({ total: 1 });
    await payFor(order.orderNo);
    const { saleId } = order;
    let another: AcceptedOrder | undefined;
    await loseWhatIsSetAside(order, async (epoch) => {
      another = await buyAsAnother({ ...order, epoch });
    });
    await expect(returnMoney(order.messages)).rejects.toThrow(StockNotLoadedError);
    expect(await returnMoney(order.messages)).toBe(1);
    expect(await standOf(order.orderNo)).toBe('cancelled, payment refunded');
    await createOrders({ saleId, orders: another ? [another] : [] });
    expect((await readStates(saleId)).get(another?.orderNo ?? '')?.status).toBe('pending_payment');
    expect(await countStock(saleId)).toEqual({
      redis: { available: 0, held: 1, sold: 0 },
      postgres: { held: 1, sold: 0 },
    });
    expect(await db().deadLetter.count({ where: { saleId } })).toBe(0);
    expect(await isSound(saleId)).toEqual([]);
  });

  it('[I10 J4] takes the unit again if Redis was loaded anew while it was being kept, and the unit is free', async () => {
    const order = await lateOrder({ total: 1 });
    await payFor(order.orderNo);
    await loseWhatIsSetAside(order, async () => {});
    await expect(returnMoney(order.messages)).rejects.toThrow(StockNotLoadedError);
    expect(await returnMoney(order.messages)).toBe(0);
    expect(await standOf(order.orderNo)).toBe('paid, payment succeeded');
    expect((await countStock(order.saleId)).redis).toEqual({ available: 0, held: 0, sold: 1 });
    expect(await isSound(order.saleId)).toEqual([]);
  });

  it('[I10] Postgres has the last word: where it has no room Redis gives the unit back and the money goes back', async () => {
    const order = await lateOrder({ total: 1 });
    await payFor(order.orderNo);
    // Redis thinks a unit is free; Postgres knows better.
    await db().$executeRaw`UPDATE sales SET sold_stock = 1 WHERE id = ${order.saleId}`;
    expect(await returnMoney(order.messages)).toBe(1);
    expect((await countStock(order.saleId)).redis).toEqual({ available: 1, held: 0, sold: 0 });
    expect(await standOf(order.orderNo)).toBe('cancelled, payment refunded');
  });

  it('[I10 I9] a refund that fails is tried again, by the sweep too, and is never kept once decided', async () => {
    const order = await lateOrder({ total: 1 });
    await sellToAnother(order);
    await payFor(order.orderNo);
    const refund = vi.spyOn(sandbox, 'refund').mockRejectedValueOnce(new Error('provider down'));
    await expect(returnMoney(order.messages)).rejects.toThrow('provider down');
    expect(await standOf(order.orderNo)).toBe('cancelled, payment refund_due');
    // A unit becomes free, but the money is already on its way back.
    await db().$executeRaw`UPDATE sales SET total_stock = 2 WHERE id = ${order.saleId}`;
    await stockRedis().hset(keys.sale(order.saleId), { total: 2, available: 1 });
    await db().$executeRaw`
      UPDATE payments SET updated_at = now() - interval '2 minutes' WHERE id = ${order.paymentId}`;
    expect(await sweep()).toMatchObject({ refunded: 1 });
    expect(refund).toHaveBeenCalledTimes(2);
    expect(await standOf(order.orderNo)).toBe('cancelled, payment refunded');
    expect((await countStock(order.saleId)).redis).toEqual({ available: 1, held: 1, sold: 0 });
    expect(await isSound(order.saleId)).toEqual([]);
  });
});
