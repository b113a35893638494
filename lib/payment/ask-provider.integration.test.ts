import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { decideOutcome } from '@/lib/payment/providers/sandbox/decide-outcome';
import { sandbox } from '@/lib/payment/providers/sandbox/provider';
import { createOrderFixture, standOf, tellHistory } from '@/lib/purchase/testing/order-fixture';
import { buyForAll, createSaleFixture, makeOverdue } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { createOrders } from '@/lib/settlement/create-orders';
import { askLatePayments } from './ask-provider';
import { payOrder } from './pay-order';
import { releaseUnpaid } from './release-unpaid';

afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await closeRedis();
  await closeDb();
});

/** Creates an order whose shopper went to the provider half a minute ago. */
async function openedOrder() {
  const order = await createOrderFixture();
  expect(await payOrder(order.userId, order.orderNo)).toMatchObject({ status: 'payable' });
  await makeDue(order.paymentId);
  return { ...order, ref: { ...order, amountMinor: 1999, currency: 'EUR' } };
}

const makeDue = (paymentId: string) =>
  db().$executeRaw`UPDATE payments SET next_query_at = now() WHERE id = ${paymentId}`;

describe('askLatePayments', () => {
  it('[I5] a payment whose callback never came is found by asking', async () => {
    const order = await openedOrder();
    await decideOutcome(order.ref, 'succeeded');
    expect(await askLatePayments()).toEqual({ asked: 1, applied: 1, failed: 0 });
    expect(await standOf(order.orderNo)).toBe('paid, payment succeeded');
    expect(await askLatePayments()).toEqual({ asked: 0, applied: 0, failed: 0 });
    expect((await tellHistory(order.orderNo)).at(-1)).toBe('paid: pending_payment → paid by provider');
  });

  it('[I5] nothing is asked about orders nobody went to pay, nor before 30 s have passed', async () => {
    const query = vi.spyOn(sandbox, 'queryState');
    await createOrderFixture();
    const waiting = await createOrderFixture();
    await payOrder(waiting.userId, waiting.orderNo);
    expect(await askLatePayments()).toEqual({ asked: 0, applied: 0, failed: 0 });
    expect(query).not.toHaveBeenCalled();
  });

  it('[I5] an answer that is not there yet is asked for again, later and later', async () => {
    const order = await openedOrder();
    const waits: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      await makeDue(order.paymentId);
      expect(await askLatePayments()).toEqual({ asked: 1, applied: 0, failed: 0 });
      const { nextQueryAt } = await db().payment.findFirstOrThrow({ where: { id: order.paymentId } });
      waits.push(Math.round(((nextQueryAt?.getTime() ?? 0) - Date.now()) / 10_000));
    }
    expect(waits).toEqual([3, 6, 12]);
    expect(await standOf(order.orderNo)).toBe('pending_payment, payment pending');
  });

  it('[I5] an unpaid payment is asked about for a day, and for longer while its provider is silent', async () => {
    const order = await openedOrder();
    const { paymentId } = order;
    const nextOf = async () =>
      (await db().payment.findFirstOrThrow({ where: { id: paymentId } })).nextQueryAt;
    await db()
      .$executeRaw`UPDATE payments SET opened_at = now() - interval '25 hours' WHERE id = ${paymentId}`;
    const down = vi.spyOn(sandbox, 'queryState').mockRejectedValue(new Error('down'));
    expect(await askLatePayments()).toEqual({ asked: 1, applied: 0, failed: 1 });
    expect(await nextOf()).not.toBeNull();
    down.mockRestore();
    await makeDue(paymentId);
    expect(await askLatePayments()).toEqual({ asked: 1, applied: 0, failed: 0 });
    expect(await nextOf()).toBeNull();
  });

  it('[I5] a provider that fails is logged and asked again; the others are not kept waiting', async () => {
    const [broken, fine] = [await openedOrder(), await openedOrder()];
    await decideOutcome(fine.ref, 'succeeded');
    const ask = sandbox.queryState;
    vi.spyOn(sandbox, 'queryState').mockImplementation(async (paymentId) => {
      if (paymentId === broken.paymentId) throw new Error('no answer');
      return ask(paymentId);
    });
    expect(await askLatePayments()).toEqual({ asked: 2, applied: 1, failed: 1 });
    expect(await standOf(fine.orderNo)).toBe('paid, payment succeeded');
    expect(await standOf(broken.orderNo)).toBe('pending_payment, payment pending');
  });
});

describe('at the deadline', () => {
  it('[I5 C7] who has paid in time keeps the unit although no callback came', async () => {
    const order = await openedOrder();
    await decideOutcome(order.ref, 'succeeded');
    await makeOverdue([order.orderNo]);
    expect(await releaseUnpaid([order.orderNo])).toEqual([]);
    expect(await standOf(order.orderNo)).toBe('paid, payment succeeded');
  });

  it('[I5 C7] a provider that is down does not keep the deadline from passing', async () => {
    const order = await openedOrder();
    vi.spyOn(sandbox, 'queryState').mockRejectedValue(new Error('down'));
    await makeOverdue([order.orderNo]);
    const released = await releaseUnpaid([order.orderNo]);
    expect(released).toEqual([order.orderNo]);
  });

  it('[O4 I5 C7] a provider that is silent is not asked about every order: all end at once', async () => {
    const sale = await createSaleFixture({ users: 40, total: 40 });
    const orders = await buyForAll(sale);
    await createOrders({ saleId: sale.saleId, orders });
    for (const { userId, orderNo } of orders) await payOrder(userId, orderNo);
    const orderNos = orders.map(({ orderNo }) => orderNo);
    await makeOverdue(orderNos);
    const query = vi.spyOn(sandbox, 'queryState').mockRejectedValue(new Error('no answer'));
    expect((await releaseUnpaid(orderNos)).toSorted()).toEqual(orderNos.toSorted());
    expect(query.mock.calls.length).toBeLessThan(40);
  });
});
