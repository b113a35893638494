import { afterAll, describe, expect, it } from 'vitest';
import { MOST_PARTS } from '@/lib/contract/shapes/order';
import { closeDb, db } from '@/lib/db/client';
import { findHistory } from '@/lib/order/find-history';
import { findOrder } from '@/lib/order/find-order';
import { readNotices } from '@/lib/order/read-notices';
import { pageToken } from '@/lib/payment/providers/sandbox/page-token';
import { readSandboxPage } from '@/lib/payment/providers/sandbox/read-page';
import { returnMoney } from '@/lib/payment/return-money';
import { sweepRefunds } from '@/lib/payment/sweep-refunds';
import { createOrderFixture, standOf, tellHistory, topicsOf } from '@/lib/purchase/testing/order-fixture';
import { payFor } from '@/lib/purchase/testing/pay-for';
import { countStock } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { confirmPaid } from '@/lib/settlement/confirm-paid';
import { verifySale } from '@/lib/verify/verify-sale';
import { makeUser } from '@/test/support/make-sale';
import { exportOrders } from './export-orders';
import { readManagedOrder } from './read-managed-order';
import { refundOrder } from './refund-order';
import { refundPart } from './refund-part';

afterAll(async () => {
  await closeRedis();
  await closeDb();
});

/** Makes a paid order of 19.99 EUR, with its merchant. */
async function paidOrder() {
  const order = await createOrderFixture({ total: 3 });
  await payFor(order.orderNo);
  await confirmPaid([order]);
  const { merchantId } = await db().sale.findUniqueOrThrow({ where: { id: order.saleId } });
  return { ...order, merchant: { userId: merchantId, role: 'merchant' as const } };
}
const part = (amountMinor: number, requestId = `request-${amountMinor}`) => ({
  amountMinor,
  reason: 'scratched',
  requestId,
});
const inSandbox = (paymentId: string) => db().sandboxPayment.findUniqueOrThrow({ where: { paymentId } });
const broken = async (saleId: string) =>
  (await verifySale(saleId, { settleMs: 200 }))?.invariants
    .filter(({ ok }) => !ok)
    .map(({ detail }) => detail);

/** Returns the amounts that the notices to the shopper name, by kind. */
async function amountsTold(orderNo: string) {
  const rows = await db().$queryRaw<{ id: bigint; payload: Record<string, unknown> }[]>`
    SELECT id, payload FROM outgoing_messages WHERE topic = 'mail' AND payload->>'orderNo' = ${orderNo} ORDER BY id`;
  const notices = await readNotices(
    rows.map(({ id, payload }) => ({ id: String(id), payload, attempts: 1 }) as never),
  );
  return notices.map(({ kind, amountMinor }) => [kind, amountMinor]);
}

describe('refundPart', () => {
  it('[O4 I9] sends parts back while the order stays paid; the whole refund sends the rest', async () => {
    const { orderNo, saleId, userId, merchant, paymentId } = await paidOrder();
    expect(await refundPart(merchant, orderNo, part(500))).toMatchObject({
      status: 'refunded',
      order: { status: 'paid', refundedMinor: 500, refundParts: [{ amountMinor: 500, sentAt: null }] },
    });
    expect(await returnMoney([{ paymentId }])).toBe(1);
    expect(await returnMoney([{ paymentId }])).toBe(0);
    await refundPart(merchant, orderNo, part(300));
    // Under way is no difference; sent is none either.
    expect(await broken(saleId)).toEqual([]);
    await returnMoney([{ paymentId }]);
    expect(await inSandbox(paymentId)).toMatchObject({ returnedMinor: 800, refundedAt: null });
    expect(await standOf(orderNo)).toBe('paid, payment succeeded');
    expect((await countStock(saleId)).redis).toEqual({ available: 2, held: 0, sold: 1 });
    expect(await findOrder({ userId }, orderNo)).toMatchObject({ status: 'paid', refundedMinor: 800 });
    expect(await readSandboxPage(paymentId, pageToken(paymentId))).toMatchObject({ returnedMinor: 800 });
    expect(await broken(saleId)).toEqual([]);
    const lines = (await findHistory({ userId }, orderNo))?.slice(-4);
    expect(lines?.map(({ cause, amountMinor }) => [cause, amountMinor])).toEqual([
      ['part_refund_requested', 500],
      ['part_returned', 500],
      ['part_refund_requested', 300],
      ['part_returned', 300],
    ]);

    const whole = await refundOrder(merchant, orderNo, { reason: 'broken', returnStock: true });
    expect(whole).toMatchObject({ status: 'refunded', order: { refundedMinor: 1999 } });
    await returnMoney([{ paymentId }]);
    expect(await inSandbox(paymentId)).toMatchObject({ refundedAt: expect.any(Date) });
    expect(await standOf(orderNo)).toBe('refunded, payment refunded');
    expect(await broken(saleId)).toEqual([]);
    expect((await amountsTold(orderNo)).slice(1)).toEqual([
      ['part_refunded', 500],
      ['part_refunded', 300],
      ['order_refunded', 1199],
    ]);
    const last = (await findHistory({ userId }, orderNo))?.at(-1);
    expect(last).toMatchObject({ cause: 'money_returned', amountMinor: 1199 });
    // Points: a part takes none back, the whole refund takes all.
    expect((await topicsOf(orderNo)).filter((topic) => topic.startsWith('points'))).toEqual([
      'points earned',
      'points taken_back',
    ]);
    let csv = '';
    for await (const lines of exportOrders(merchant, { orderNo })) csv += lines;
    const [names, values] = csv.split('\r\n').map((line) => line.split(','));
    expect(values?.[names?.indexOf('refunded') ?? -1]).toBe('19.99');
  });

  it('[O4 I9] a part that was not sent yet goes along with the whole refund, and is told of', async () => {
    const { orderNo, saleId, merchant, paymentId } = await paidOrder();
    await refundPart(merchant, orderNo, part(500));
    await refundOrder(merchant, orderNo, { reason: 'broken', returnStock: false });
    expect(await returnMoney([{ paymentId }, { paymentId }])).toBe(1);
    expect((await tellHistory(orderNo)).slice(-4)).toEqual([
      'part_refund_requested: paid → paid by merchant',
      'refund_requested: paid → refunded by merchant',
      'part_returned: refunded → refunded by system',
      'money_returned: refunded → refunded by system',
    ]);
    expect((await amountsTold(orderNo)).slice(1)).toEqual([
      ['part_refunded', 500],
      ['order_refunded', 1499],
    ]);
    expect(await broken(saleId)).toEqual([]);
  });

  it('[O4 P5] never takes the last cent, however many ask at once', async () => {
    const { orderNo, saleId, merchant, paymentId } = await paidOrder();
    for (const amountMinor of [1999, 2000])
      expect(await refundPart(merchant, orderNo, part(amountMinor))).toEqual({
        status: 'part_too_large',
        leftMinor: 1999,
      });
    const asked = Array.from({ length: 8 }, (_, n) =>
      refundPart(merchant, orderNo, part(600, `request-${n}`)),
    );
    const statuses = (await Promise.all(asked)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(5).fill('part_too_large'), ...Array(3).fill('refunded')]);
    await Promise.all([returnMoney([{ paymentId }]), returnMoney([{ paymentId }])]);
    expect(await inSandbox(paymentId)).toMatchObject({ returnedMinor: 1800 });
    expect(await refundPart(merchant, orderNo, part(199))).toMatchObject({ leftMinor: 199 });
    expect(await refundPart(merchant, orderNo, part(198))).toMatchObject({ status: 'refunded' });
    expect(await broken(saleId)).toEqual([]);
    const where = { id: paymentId };
    await expect(db().payment.updateMany({ where, data: { partsMinor: 1999 } })).rejects.toThrow(
      'parts_check',
    );
  });

  it('[O4 P5] is made once for its name, also at once; another part of that name is refused', async () => {
    const { orderNo, merchant } = await paidOrder();
    const clicks = await Promise.all([1, 2, 3].map(() => refundPart(merchant, orderNo, part(500))));
    for (const click of clicks)
      expect(click).toMatchObject({ status: 'refunded', order: { refundedMinor: 500 } });
    for (const other of [part(501, 'request-500'), { ...part(500), reason: 'late' }])
      expect(await refundPart(merchant, orderNo, other)).toEqual({ status: 'made_otherwise' });
    await refundOrder(merchant, orderNo, { reason: 'broken', returnStock: true });
    expect(await refundPart(merchant, orderNo, part(500))).toMatchObject({ status: 'refunded' });
    expect(await refundPart(merchant, orderNo, part(10))).toEqual({
      status: 'not_refundable',
      is: 'refunded',
    });
    expect((await readManagedOrder(merchant, orderNo))?.refundParts).toHaveLength(1);
    const entries = await db().auditEntry.findMany({ where: { subjectId: orderNo }, orderBy: { id: 'asc' } });
    expect(
      entries.map(({ action, after }) => [action, (after as { amountMinor: number }).amountMinor]),
    ).toEqual([
      ['order.refund_part', 500],
      ['order.refund', 1499],
    ]);
  });

  it('[O4 L4] not of an unpaid order or another merchant’s, nor in more parts than there may be', async () => {
    const unpaid = await createOrderFixture();
    const operator = await makeUser('operator');
    expect(await refundPart(operator, unpaid.orderNo, part(1))).toEqual({
      status: 'not_refundable',
      is: 'pending_payment',
    });
    const { orderNo, saleId, merchant, paymentId } = await paidOrder();
    expect(await refundPart(await makeUser('merchant'), orderNo, part(1))).toEqual({ status: 'not_found' });
    expect(await refundPart(merchant, 'nonsense', part(1))).toEqual({ status: 'not_found' });
    await db().$executeRaw`
      INSERT INTO refund_parts (shard, order_id, nth, sale_id, amount_minor, reason, asked_by, request_id)
      SELECT shard, order_id, nth, ${saleId}, 1, 'x', 'x', 'many-' || nth
      FROM payments, generate_series(1, ${MOST_PARTS}::int) nth WHERE id = ${paymentId}`;
    await db().payment.updateMany({ where: { id: paymentId }, data: { partsMinor: MOST_PARTS } });
    expect(await refundPart(merchant, orderNo, part(2))).toEqual({ status: 'too_many_parts' });
    expect(await readManagedOrder(merchant, orderNo)).toMatchObject({ refundedMinor: MOST_PARTS });
  });

  it('[O4 I5] whose message was lost is swept', async () => {
    const { orderNo, merchant, paymentId } = await paidOrder();
    await refundPart(merchant, orderNo, part(500));
    await refundPart(merchant, orderNo, part(300));
    await sweepRefunds();
    expect(await inSandbox(paymentId)).toMatchObject({ returnedMinor: 0 });
    await db().$executeRaw`UPDATE refund_parts SET asked_at = now() - interval '61 seconds'`;
    expect(await sweepRefunds()).toMatchObject({ failed: [] });
    expect(await inSandbox(paymentId)).toMatchObject({ returnedMinor: 800 });
  });
});
