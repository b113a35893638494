import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import type { Actor } from '@/lib/actor/actor';
import { closeDb, db } from '@/lib/db/client';
import { refundOrder } from '@/lib/order/admin/refund-order';
import { createOrderFixture, standOf } from '@/lib/purchase/testing/order-fixture';
import { payFor } from '@/lib/purchase/testing/pay-for';
import { closeRedis } from '@/lib/redis/client';
import { closeSale } from '@/lib/sale/admin/close-sale';
import { confirmPaid } from '@/lib/settlement/confirm-paid';
import { readStock } from '@/lib/stock/read-stock';
import { verifySale } from '@/lib/verify/verify-sale';
import { makeSale, makeUser } from '@/test/support/make-sale';
import { approve, reject } from './decide-approval';
import { listApprovals } from './list-approvals';
import { refundOrAsk } from './refund-or-ask';
import { refundPartOrAsk } from './refund-part-or-ask';
import { restockOrAsk } from './restock-or-ask';

process.env.APPROVAL_STOCK_UNITS = '100';
process.env.APPROVAL_REFUND_MINOR = '1500';
afterEach(() => vi.useRealTimers());
afterAll(() => Promise.all([closeRedis(), closeDb()]));

const totalOf = async (saleId: string) => ({
  redis: (await readStock(saleId))?.total,
  postgres: (await db().sale.findUniqueOrThrow({ where: { id: saleId } })).totalStock,
});
const both = (units: number) => ({ redis: units, postgres: units });

/** Makes a sale of ten units and a request for this many more. */
async function ask(delta = 101) {
  const [{ sale, merchant }, operator] = await Promise.all([makeSale(), makeUser('operator')]);
  const asked = await restockOrAsk(merchant, sale.saleId, { delta, reason: 'found more' });
  if (asked.status !== 'pending') throw new Error(asked.status);
  return { saleId: sale.saleId, merchant, operator, approvalId: asked.approvalId };
}

describe('stock increases above the threshold', () => {
  it('[C5] wait for a second person, and are done once when that one agrees', async () => {
    const { saleId, merchant, operator, approvalId } = await ask();
    expect(await totalOf(saleId)).toEqual(both(10));
    expect(await approve(merchant, approvalId)).toEqual({ status: 'own' });
    expect(await approve(operator, approvalId)).toMatchObject({
      status: 'decided',
      approval: { status: 'approved', decidedBy: operator.userId, outcome: null },
    });
    expect(await totalOf(saleId)).toEqual(both(111));
    expect(await approve(await makeUser('admin'), approvalId)).toEqual({ status: 'already', is: 'approved' });
    expect(await reject(operator, approvalId, 'too late')).toEqual({ status: 'already', is: 'approved' });
    expect(await totalOf(saleId)).toEqual(both(111));
    const entries = await db().auditEntry.findMany({
      where: { OR: [{ subjectId: approvalId }, { subjectId: saleId, action: 'sale.restock' }] },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ action, actorId }) => [action, actorId])).toEqual([
      ['approval.request', merchant.userId],
      ['approval.approve', operator.userId],
      ['sale.restock', operator.userId],
    ]);
  });

  it('[C5 O3] name the variant that they are about, and add the units to it', async () => {
    const variants = ['Small', 'Large'].map((name) => ({ name, stock: 5, picture: null }));
    const [{ sale, merchant }, operator] = await Promise.all([makeSale({ variants }), makeUser('operator')]);
    const asked = await restockOrAsk(merchant, sale.saleId, { delta: 101, variant: 2, reason: 'found more' });
    if (asked.status !== 'pending') throw new Error(asked.status);
    const { approvals } = await listApprovals(merchant, { limit: 1 }, { status: 'pending' });
    expect(approvals).toMatchObject([{ saleTitle: 'Lantern (Large)', request: { variant: 2 } }]);
    expect(await approve(operator, asked.approvalId)).toMatchObject({ status: 'decided' });
    expect(await readStock(sale.saleId)).toMatchObject({ total: 111, variants: [5, 106] });
  });

  it('[C5] five who agree at once add the units once', async () => {
    const { saleId, approvalId } = await ask();
    const admins = await Promise.all(Array.from({ length: 5 }, () => makeUser('admin')));
    const results = await Promise.all(admins.map((admin) => approve(admin, approvalId)));
    expect(results.filter(({ status }) => status === 'decided')).toHaveLength(1);
    expect(results.filter(({ status }) => status === 'already')).toHaveLength(4);
    expect(await totalOf(saleId)).toEqual(both(111));
  });

  it('[C5] are not got around in small steps; up to it nobody is asked, nor for taking back', async () => {
    const { sale, merchant } = await makeSale();
    const { saleId } = sale;
    const add = (delta: number) => restockOrAsk(merchant, saleId, { delta, reason: 'step' });
    expect(await add(60)).toMatchObject({ status: 'restocked' });
    expect(await add(40)).toMatchObject({ status: 'restocked' });
    expect(await add(-100)).toMatchObject({ status: 'restocked' });
    expect(await add(1)).toMatchObject({ status: 'pending' });
    expect(await totalOf(saleId)).toEqual(both(10));
  });

  it('[C5] are not got around by several at once, each of them small', async () => {
    const { sale, merchant } = await makeSale();
    const { saleId } = sale;
    const operators = await Promise.all([1, 2, 3].map(() => makeUser('operator')));
    const add = (actor: Actor) => restockOrAsk(actor, saleId, { delta: 60, reason: 'at once' });
    const results = await Promise.all([merchant, ...operators].map(add));
    const count = (wanted: string) => results.filter(({ status }) => status === wanted).length;
    expect([count('restocked'), count('pending'), count('other_pending')]).toEqual([1, 1, 2]);
    expect(await totalOf(saleId)).toEqual(both(70));
  });

  it('[C5 F2] nobody is asked when the answer to a small one got lost and it is sent again', async () => {
    const { sale, merchant } = await makeSale();
    const again = { delta: 60, reason: 'sent twice', requestId: 'request-1' };
    for (const _ of [1, 2])
      expect(await restockOrAsk(merchant, sale.saleId, again)).toMatchObject({
        status: 'restocked',
        stock: { total: 70 },
      });
    expect(await totalOf(sale.saleId)).toEqual(both(70));
  });

  it('[C5 P5] sent again after a second person has agreed are not asked for once more', async () => {
    const { sale, merchant } = await makeSale();
    const big = { delta: 101, reason: 'found more', requestId: 'request-1' };
    const asked = await restockOrAsk(merchant, sale.saleId, big);
    if (asked.status !== 'pending') throw new Error(asked.status);
    expect(await approve(await makeUser('operator'), asked.approvalId)).toMatchObject({ status: 'decided' });
    expect(await restockOrAsk(merchant, sale.saleId, big)).toMatchObject({
      status: 'restocked',
      stock: { total: 111 },
    });
    expect(await restockOrAsk(merchant, sale.saleId, { ...big, delta: 5 })).toEqual({
      status: 'made_otherwise',
    });
    expect(await db().approval.count({ where: { saleId: sale.saleId } })).toBe(1);
    expect(await totalOf(sale.saleId)).toEqual(both(111));
  });

  it('[C5] asked again are the same question; another one has to wait', async () => {
    const { saleId, merchant, operator, approvalId } = await ask();
    const again = (actor: typeof operator, delta: number) =>
      restockOrAsk(actor, saleId, { delta, reason: 'found more' });
    expect(await again(merchant as typeof operator, 101)).toMatchObject({ status: 'pending', approvalId });
    expect(await again(merchant as typeof operator, 102)).toEqual({ status: 'other_pending', approvalId });
    expect(await again(operator, 101)).toEqual({ status: 'other_pending', approvalId });
    // The person who asked may take the request back.
    expect(await reject(merchant, approvalId, 'counted wrong')).toMatchObject({
      approval: { status: 'rejected', outcome: 'counted wrong' },
    });
    expect(await again(merchant as typeof operator, 102)).toMatchObject({ status: 'pending' });
    expect(await totalOf(saleId)).toEqual(both(10));
  });

  it('[C5] run out after a day, and fail when they are no longer possible', async () => {
    const old = await ask();
    await db().approval.update({
      where: { id: old.approvalId },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    expect(await approve(old.operator, old.approvalId)).toEqual({ status: 'already', is: 'expired' });
    const asked = await restockOrAsk(old.merchant, old.saleId, { delta: 200, reason: 'again' });
    expect(asked).toMatchObject({ status: 'pending' });
    expect(await totalOf(old.saleId)).toEqual(both(10));

    const over = await ask();
    const aMomentAgo = new Date(Date.now() - 1_000);
    await db().sale.update({ where: { id: over.saleId }, data: { endsAt: aMomentAgo } });
    expect(await approve(over.operator, over.approvalId)).toMatchObject({
      status: 'decided',
      approval: { status: 'failed', outcome: 'the sale is over' },
    });
    expect(await totalOf(over.saleId)).toEqual(both(10));

    const late = await ask();
    await closeSale(late.merchant, late.saleId);
    expect(await approve(late.operator, late.approvalId)).toMatchObject({
      status: 'decided',
      approval: { status: 'failed', outcome: 'the sale is closed' },
    });
    expect(await totalOf(late.saleId)).toMatchObject({ postgres: 10 });
  });

  it('[L4] are refused at once where they can’t be; another merchant’s are not there', async () => {
    const { approvalId, saleId, merchant } = await ask();
    const stranger = await makeUser('merchant');
    expect(await approve(stranger, approvalId)).toEqual({ status: 'not_found' });
    expect(await reject(stranger, approvalId, 'no')).toEqual({ status: 'not_found' });
    expect(await approve(stranger, 'appr_none')).toEqual({ status: 'not_found' });
    const big = { delta: 500, reason: 'x' };
    expect(await restockOrAsk(stranger, saleId, big)).toEqual({ status: 'not_found' });
    expect((await listApprovals(stranger, { limit: 20 }, { status: 'all' })).approvals).toEqual([]);
    expect(await listApprovals(merchant, { limit: 20 }, { status: 'pending' })).toMatchObject({
      approvals: [{ approvalId, isOwn: true, requestedByEmail: expect.stringContaining('@') }],
    });
    const { sale, merchant: owner } = await makeSale({ totalStock: -1 });
    expect(await restockOrAsk(owner, sale.saleId, big)).toEqual({ status: 'unlimited' });
    await expect(
      db().approval.update({
        where: { id: approvalId },
        data: { status: 'approved', decidedBy: merchant.userId, decidedAt: new Date() },
      }),
    ).rejects.toThrow(/second_person/);
  });
});

/** Makes a paid order of 19.99, or another price, with its merchant and an operator. */
async function paidOrder({ priceMinor = 1_999 } = {}) {
  const [order, operator] = await Promise.all([
    createOrderFixture({ total: 3, priceMinor }),
    makeUser('operator'),
  ]);
  await payFor(order.orderNo);
  await confirmPaid([order]);
  const { merchantId } = await db().sale.findUniqueOrThrow({ where: { id: order.saleId } });
  return { ...order, operator, merchant: { userId: merchantId, role: 'merchant' as const } };
}
const refund = { reason: 'scratched', returnStock: true };

describe('refunds above the threshold', () => {
  it('[I9] wait for a second person, and are sent back once', async () => {
    const { orderNo, saleId, merchant, operator } = await paidOrder();
    const asked = await refundOrAsk(merchant, orderNo, refund);
    if (asked.status !== 'pending') throw new Error(asked.status);
    expect(await standOf(orderNo)).toBe('paid, payment succeeded');
    expect(await approve(merchant, asked.approvalId)).toEqual({ status: 'own' });
    const admins = [operator, ...(await Promise.all(Array.from({ length: 4 }, () => makeUser('admin'))))];
    const results = await Promise.all(admins.map((actor) => approve(actor, asked.approvalId)));
    expect(results.filter(({ status }) => status === 'decided')).toHaveLength(1);
    expect(await standOf(orderNo)).toBe('refunded, payment refund_due');
    expect(await db().approval.findUnique({ where: { id: asked.approvalId } })).toMatchObject({
      status: 'approved',
    });
    const broken = (await verifySale(saleId, { settleMs: 200 }))?.invariants.filter(({ ok }) => !ok);
    expect(broken).toEqual([]);
    // The order is refunded already: no second person is asked any more.
    expect(await refundOrAsk(merchant, orderNo, refund)).toMatchObject({ status: 'refunded' });
  });

  it('[I9] fail if the order has been refunded in the meantime', async () => {
    const { orderNo, merchant, operator } = await paidOrder();
    const asked = await refundOrAsk(merchant, orderNo, refund);
    if (asked.status !== 'pending') throw new Error(asked.status);
    await refundOrder(operator, orderNo, refund);
    expect(await approve(operator, asked.approvalId)).toMatchObject({
      approval: { status: 'failed', outcome: 'already refunded' },
    });
  });
});

describe('parts of a refund', () => {
  const part = (amountMinor: number) => ({
    amountMinor,
    reason: 'late',
    requestId: `request-${amountMinor}`,
  });

  it('[O4 I9] are counted together for a day, a person and an order: neither many parts nor many people are a way around it', async () => {
    const { orderNo, saleId, operator, merchant } = await paidOrder();
    const statuses: string[] = [];
    for (const amountMinor of [900, 600, 1, 600])
      statuses.push((await refundPartOrAsk(operator, orderNo, part(amountMinor))).status);
    expect(statuses).toEqual(['refunded', 'refunded', 'pending', 'refunded']);
    const [asked] = await db().approval.findMany({ where: { subjectId: orderNo } });
    expect(asked).toMatchObject({ kind: 'refund_part', status: 'pending' });
    const approvalId = asked?.id ?? '';
    // Others have a sum of their own, but not of this order; one question waits about it at a time.
    expect(await refundPartOrAsk(merchant, orderNo, part(2))).toEqual({
      status: 'other_pending',
      approvalId,
    });
    expect(await refundOrAsk(merchant, orderNo, refund)).toEqual({ status: 'other_pending', approvalId });
    const other = await paidOrder();
    expect(await refundPartOrAsk(operator, other.orderNo, part(2))).toMatchObject({ status: 'pending' });
    expect(await refundPartOrAsk(other.merchant, other.orderNo, part(3))).toMatchObject({
      status: 'refunded',
    });

    const admins = await Promise.all(Array.from({ length: 3 }, () => makeUser('admin')));
    const results = await Promise.all(admins.map((actor) => approve(actor, approvalId)));
    expect(results.filter(({ status }) => status === 'decided')).toHaveLength(1);
    expect(await refundPartOrAsk(operator, orderNo, part(1))).toMatchObject({
      status: 'refunded',
      order: { status: 'paid', refundedMinor: 1501 },
    });
    expect(await standOf(orderNo)).toBe('paid, payment succeeded');
    const broken = (await verifySale(saleId, { settleMs: 200 }))?.invariants.filter(({ ok }) => !ok);
    expect(broken).toEqual([]);
  });

  it('[O4 I9] fail when so much is not left any more', async () => {
    const { orderNo, merchant, operator } = await paidOrder({ priceMinor: 5_000 });
    const asked = await refundPartOrAsk(merchant, orderNo, part(4_000));
    if (asked.status !== 'pending') throw new Error(asked.status);
    await refundPartOrAsk(operator, orderNo, part(1_200));
    expect(await approve(operator, asked.approvalId)).toMatchObject({
      approval: { status: 'failed', outcome: 'part_too_large' },
    });
  });
});

describe('refunds below the threshold', () => {
  /** Makes paid orders with these prices, of sales that an operator may all refund. */
  const paidOrders = (...prices: number[]) =>
    Promise.all(prices.map(async (priceMinor) => (await paidOrder({ priceMinor })).orderNo));
  const refundAll = async (actor: Actor, orderNos: readonly string[]) => {
    const statuses: string[] = [];
    for (const orderNo of orderNos) statuses.push((await refundOrAsk(actor, orderNo, refund)).status);
    return statuses;
  };

  it('[I9] are counted together for a day and a person: many small ones are no way around it', async () => {
    const [operator, other] = [await makeUser('operator'), await makeUser('operator')];
    const [a = '', b = '', c = '', d = ''] = await paidOrders(900, 600, 1, 900);
    expect(await refundAll(operator, [a, b, c])).toEqual(['refunded', 'refunded', 'pending']);
    expect(await standOf(c)).toBe('paid, payment succeeded');
    // Refunding again changes nothing and needs no approval; another person has a sum of their own.
    expect(await refundAll(operator, [a, b])).toEqual(['refunded', 'refunded']);
    expect(await refundAll(other, [d])).toEqual(['refunded']);
  });

  it('[I9] count each other also when they come at once', async () => {
    const operator = await makeUser('operator');
    const orderNos = await paidOrders(...Array.from({ length: 8 }, () => 600));
    const results = await Promise.all(orderNos.map((orderNo) => refundOrAsk(operator, orderNo, refund)));
    const count = (wanted: string) => results.filter(({ status }) => status === wanted).length;
    expect([count('refunded'), count('pending')]).toEqual([2, 6]);
    const stands = await Promise.all(orderNos.map(standOf));
    expect(stands.filter((stand) => stand === 'refunded, payment refund_due')).toHaveLength(2);
  });

  it('[I9] of another currency, of yesterday, and what two had agreed on do not count', async () => {
    const operator = await makeUser('operator');
    const [old = '', large = '', dollars = '', today = ''] = await paidOrders(1_500, 1_600, 1_500, 1_500);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 25 * 3_600_000 });
    expect(await refundAll(operator, [old])).toEqual(['refunded']);
    vi.useRealTimers();
    const asked = await refundOrAsk(await makeUser('admin'), large, refund);
    if (asked.status !== 'pending') throw new Error(asked.status);
    expect(await approve(operator, asked.approvalId)).toMatchObject({ approval: { status: 'approved' } });
    await db().$executeRaw`UPDATE orders SET currency = 'USD' WHERE id = ${dollars}::bigint`;
    await db().$executeRaw`UPDATE payments SET currency = 'USD' WHERE order_id = ${dollars}::bigint`;
    expect(await refundAll(operator, [dollars, today])).toEqual(['refunded', 'refunded']);
    const [one = ''] = await paidOrders(1);
    expect(await refundAll(operator, [one])).toEqual(['pending']);
  });
});
