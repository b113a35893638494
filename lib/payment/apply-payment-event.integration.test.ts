import { afterAll, describe, expect, it, vi } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { sandbox } from '@/lib/payment/providers/sandbox/provider';
import { payFor, succeeded } from '@/lib/purchase/testing/pay-for';
import { runLimited } from '@/lib/purchase/testing/run-limited';
import {
  buyForAll,
  countStock,
  createSaleFixture,
  makeOverdue,
  readStates,
} from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { confirmPaid } from '@/lib/settlement/confirm-paid';
import { createOrders } from '@/lib/settlement/create-orders';
import { applyPaymentEvent } from './apply-payment-event';
import { releaseUnpaid } from './release-unpaid';
import { returnMoney } from './return-money';

afterAll(async () => {
  await closeRedis();
  await closeDb();
});

async function oneOrder() {
  const sale = await createSaleFixture({ users: 1 });
  const [order] = await buyForAll(sale);
  if (!order) throw new Error('one purchase expected');
  await createOrders({ saleId: sale.saleId, orders: [order] });
  return { ...sale, ...order };
}

/** Reads everything that a callback may change. */
async function look({ saleId, orderNo }: { saleId: string; orderNo: string }) {
  const [payment, order, messages, events] = await Promise.all([
    db().payment.findFirstOrThrow({ where: { id: `pay_${orderNo}` } }),
    db().order.findFirstOrThrow({ where: { saleId } }),
    db().$queryRaw<
      { topic: string }[]
    >`SELECT topic FROM outgoing_messages WHERE payload->>'orderNo' = ${orderNo} ORDER BY id`,
    db().paymentEvent.findMany({ where: { paymentId: `pay_${orderNo}` }, orderBy: { receivedAt: 'asc' } }),
  ]);
  return {
    payment: payment.status,
    order: order.status,
    version: order.version,
    messages: messages.map(({ topic }) => topic),
    events: events.map(({ outcome }) => outcome),
  };
}

const MESSAGES = ['orders/paid', 'points', 'in-app', 'mail'];
const PAID = { payment: 'succeeded', order: 'paid', version: 2, messages: MESSAGES };
const UNPAID = { payment: 'pending', order: 'pending_payment', version: 1, messages: [] };

describe('applyPaymentEvent', () => {
  it('[I1] pays the order and writes its messages, one per consumer, in one transaction', async () => {
    const order = await oneOrder();
    expect(await payFor(order.orderNo)).toBe('applied');
    expect(await look(order)).toEqual({ ...PAID, events: ['applied'] });
  });

  it('[I4 F5] a callback that was recorded before, whatever it said, changes nothing', async () => {
    const order = await oneOrder();
    const event = await succeeded(order.orderNo);
    expect(await applyPaymentEvent('sandbox', { ...event, type: 'payment.pending' })).toBe('ignored');
    expect(await applyPaymentEvent('sandbox', event)).toBe('repeated');
    expect(await look(order)).toEqual({ ...UNPAID, events: ['ignored'] });
    expect(await payFor(order.orderNo)).toBe('applied');
    expect((await look(order)).payment).toBe('succeeded');
  });

  it('[I1] the messages of a paid order name its sale and its number', async () => {
    const order = await oneOrder();
    await payFor(order.orderNo);
    const rows = await db().$queryRaw<{ topic: string; payload: Record<string, string> }[]>`
      SELECT topic, payload FROM outgoing_messages WHERE payload->>'orderNo' = ${order.orderNo} ORDER BY id`;
    const told = { saleId: order.saleId, orderNo: order.orderNo };
    const notice = { ...told, kind: 'order_paid', key: `order_paid-${order.orderNo}` };
    expect(rows.map(({ payload }) => payload)).toEqual([told, { ...told, kind: 'earned' }, notice, notice]);
  });

  it('[F5] the same callback ten times at once is one transition', async () => {
    const order = await oneOrder();
    const event = await succeeded(order.orderNo);
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => applyPaymentEvent('sandbox', event)));
    expect(outcomes.filter((outcome) => outcome === 'applied')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'repeated')).toHaveLength(9);
    expect(await look(order)).toEqual({ ...PAID, events: ['applied'] });
  });

  it('[F4 F5] a second success under another id is recorded and changes nothing', async () => {
    const order = await oneOrder();
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => payFor(order.orderNo)));
    expect(outcomes.sort()).toEqual(['applied', 'repeated', 'repeated', 'repeated', 'repeated']);
    expect(await look(order)).toMatchObject(PAID);
  });

  it('[F5] reordered: a failure after the success is ignored, a success after the failure counts', async () => {
    const first = await oneOrder();
    const declined = await succeeded(first.orderNo, { type: 'payment.failed' });
    expect(await payFor(first.orderNo)).toBe('applied');
    expect(await applyPaymentEvent('sandbox', declined)).toBe('ignored');
    expect(await look(first)).toEqual({ ...PAID, events: ['applied', 'ignored'] });

    const second = await oneOrder();
    const failed = await succeeded(second.orderNo, { type: 'payment.failed' });
    expect(await applyPaymentEvent('sandbox', failed)).toBe('applied');
    expect(await look(second)).toEqual({ ...UNPAID, payment: 'failed', events: ['applied'] });
    expect(await payFor(second.orderNo)).toBe('applied');
    expect(await look(second)).toEqual({ ...PAID, events: ['applied', 'applied'] });
  });

  it.each([
    ['one cent less', { amountMinor: 1998 }],
    ['one cent more', { amountMinor: 2000 }],
    ['another currency', { currency: 'USD' }],
  ])('[I1] %s is a mismatch and changes nothing', async (_name, overrides) => {
    const order = await oneOrder();
    expect(await applyPaymentEvent('sandbox', await succeeded(order.orderNo, overrides))).toBe('mismatch');
    expect(await look(order)).toEqual({ ...UNPAID, events: ['mismatch'] });
  });

  it('[I1] unknown payments and unknown types are recorded and change nothing', async () => {
    const order = await oneOrder();
    const stray = await succeeded(order.orderNo, { paymentId: 'pay_404', webhookId: 'msg_stray' });
    expect(await applyPaymentEvent('sandbox', stray)).toBe('unknown_payment');
    expect(await applyPaymentEvent('sandbox', stray)).toBe('repeated');
    expect(
      await applyPaymentEvent('sandbox', await succeeded(order.orderNo, { type: 'payment.blinked' })),
    ).toBe('ignored');
    // A provider can't report payments of another provider.
    expect(await applyPaymentEvent('other', await succeeded(order.orderNo))).toBe('unknown_payment');
    expect(await look(order)).toMatchObject(UNPAID);
  });

  it('[F5 I1] money after the deadline but before the cancellation counts', async () => {
    const order = await oneOrder();
    await makeOverdue([order.orderNo]);
    expect(await payFor(order.orderNo)).toBe('applied');
    expect(await releaseUnpaid([order.orderNo])).toEqual([]);
    expect(await look(order)).toMatchObject(PAID);
  });

  it('[I1] a payment that is not due back is never sent back', async () => {
    const order = await oneOrder();
    await payFor(order.orderNo);
    const refund = vi.spyOn(sandbox, 'refund');
    expect(await returnMoney([{ paymentId: `pay_${order.orderNo}` }])).toBe(0);
    expect(refund).not.toHaveBeenCalled();
    refund.mockRestore();
    expect(await look(order)).toMatchObject(PAID);
  });

  it('[F5 C6 C7] 200 payments racing the deadline: each order is either paid or cancelled, and the stock agrees', async () => {
    const sale = await createSaleFixture({ total: 200, users: 200 });
    const { saleId } = sale;
    const orders = await buyForAll(sale);
    const orderNos = orders.map(({ orderNo }) => orderNo);
    for (const half of [orders.slice(0, 100), orders.slice(100)])
      await createOrders({ saleId, orders: half });
    await makeOverdue(orderNos);
    const events = await Promise.all(orderNos.map((orderNo) => succeeded(orderNo)));
    // Each batch of ten is released while its own payments arrive: some of them start just before, the others just after.
    const tasks: (() => Promise<unknown>)[] = [];
    for (let at = 0; at < 200; at += 10) {
      const payments = events.slice(at, at + 10).map((event) => () => applyPaymentEvent('sandbox', event));
      const release = () => releaseUnpaid(orderNos.slice(at, at + 10));
      const before = (at / 10) % 2 === 0 ? 5 : 0;
      tasks.push(...payments.slice(0, before), release, ...payments.slice(before));
    }
    const settled = await runLimited(tasks, 12);
    await confirmPaid(orderNos.map((orderNo) => ({ saleId, orderNo })));

    const states = await readStates(saleId);
    const paid = orderNos.filter((orderNo) => states.get(orderNo)?.status === 'paid').length;
    const cancelled = orderNos.filter((orderNo) => states.get(orderNo)?.status === 'cancelled').length;
    expect(paid + cancelled).toBe(200);
    expect(settled.filter((outcome) => outcome === 'applied')).toHaveLength(paid);
    expect(settled.filter((outcome) => outcome === 'late')).toHaveLength(cancelled);
    expect([...states.values()].every(({ isSettled }) => isSettled)).toBe(true);
    expect(await countStock(saleId)).toEqual({
      redis: { available: cancelled, held: 0, sold: paid },
      postgres: { held: 0, sold: paid },
    });
  });
});
