import { afterAll, describe, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { cancelOrder } from '@/lib/order/cancel-order';
import { releaseUnpaid } from '@/lib/payment/release-unpaid';
import { returnMoney } from '@/lib/payment/return-money';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import { makeBuyers } from '@/lib/purchase/testing/fallback-fixture';
import { listedNow } from '@/lib/purchase/testing/listed-now';
import { payFor } from '@/lib/purchase/testing/pay-for';
import { publicView } from '@/lib/purchase/testing/public-view';
import { buy, makeOverdue } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { cancelReservation } from '@/lib/reservation/cancel-reservation';
import { reserve } from '@/lib/reservation/reserve';
import { writeReservations } from '@/lib/reservation/write-reservations';
import { closeSale } from '@/lib/sale/admin/close-sale';
import { editSale } from '@/lib/sale/admin/edit-sale';
import { setSalePaused } from '@/lib/sale/admin/pause-sale';
import { restockSale } from '@/lib/sale/admin/restock-sale';
import { createOrders } from '@/lib/settlement/create-orders';
import { makeSale } from '@/test/support/make-sale';
import { reservable, usersOf } from '@/test/support/reservable';
import { ensureStockLoaded } from './ensure-stock-loaded';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

const HOUR_MS = 3_600_000;

/** Creates a sale of two units that sold out at two moments at least a millisecond apart, with its orders written. */
async function soldOutSale(input: Record<string, unknown> = {}) {
  const { sale, merchant } = await makeSale({ totalStock: 2, limitPerUser: 2, ...input });
  const { saleId, epoch } = sale;
  const { gate } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
  const fixture = { saleId, epoch, gate, userIds: await makeBuyers(3) };
  const [first = '', second = ''] = fixture.userIds;
  const orders = [await buy(fixture, first), await buy(fixture, second)];
  return { ...fixture, merchant, orders, buyer: first, version: sale.version };
}

/** Returns what the screens show before Redis loses everything, and after it was loaded from Postgres. */
async function acrossLoss(saleId: string) {
  const before = await publicView(saleId);
  await stockRedis().flushdb();
  await ensureStockLoaded(saleId);
  return { before, after: await publicView(saleId) };
}

describe('what a screenshot shows is the same after Redis has lost everything', () => {
  it('[B2 J4] when the last unit went, with the orders written', async () => {
    const { saleId, orders } = await soldOutSale();
    await drainOutbox(saleId);
    const { before, after } = await acrossLoss(saleId);
    expect(before.state).toMatchObject({ status: 'sold_out', soldOutAt: orders[1]?.acceptedAt });
    expect(after).toEqual(before);
  });

  it('[B2 J4] when the last unit went, with the last orders still on their way', async () => {
    const { saleId, orders } = await soldOutSale();
    const [first] = orders;
    if (first) await createOrders({ saleId, orders: [first] });
    const before = await publicView(saleId);
    // Delete all but the outbox: the purchase is left as the executor or a web process would have it.
    await stockRedis().del(`sale:{${saleId}}`, `sale:{${saleId}}:buyers`);
    await ensureStockLoaded(saleId);
    expect(await publicView(saleId)).toEqual(before);
  });

  it('[B2 C7 J4] the second time it sold out, not the first', async () => {
    const sale = await soldOutSale();
    const { saleId, orders } = sale;
    await drainOutbox(saleId);
    await cancelOrder(orders[0]?.userId ?? '', orders[0]?.orderNo ?? '');
    expect((await publicView(saleId)).state).toMatchObject({ status: 'live', soldOutAt: null });
    const again = await buy(sale, sale.userIds[2] ?? '');
    await drainOutbox(saleId);
    const { before, after } = await acrossLoss(saleId);
    expect(before.state.soldOutAt).toBe(again.acceptedAt);
    expect(after).toEqual(before);
  });

  it('[I10 J4] the moment late money took the last unit again', async () => {
    const { saleId, orders } = await soldOutSale();
    await drainOutbox(saleId);
    const [, last] = orders;
    const orderNo = last?.orderNo ?? '';
    await makeOverdue([orderNo]);
    await releaseUnpaid([orderNo]);
    expect(await payFor(orderNo)).toBe('late');
    await returnMoney([{ paymentId: `pay_${orderNo}` }]);
    const { before, after } = await acrossLoss(saleId);
    expect(before.state.status).toBe('sold_out');
    expect(before.state.soldOutAt).toBeGreaterThan(last?.acceptedAt ?? 0);
    expect(after).toEqual(before);
  });

  it('[M7 J4] the moment the merchant took the rest off sale', async () => {
    const { saleId, merchant } = await soldOutSale({ totalStock: 5 });
    await drainOutbox(saleId);
    expect(await restockSale(merchant, saleId, -3)).toMatchObject({ status: 'restocked' });
    const { before, after } = await acrossLoss(saleId);
    expect(before.state).toMatchObject({ status: 'sold_out', soldOutAt: expect.any(Number) });
    expect(after).toEqual(before);
  });

  it('[J4] a sale that never had a unit says no moment at all', async () => {
    const { sale } = await makeSale({ totalStock: 0 });
    const { before, after } = await acrossLoss(sale.saleId);
    expect(before.state).toMatchObject({ status: 'sold_out', soldOutAt: null });
    expect(after).toEqual(before);
  });

  it.each([
    ['while it runs', {}],
    ['before it starts', { startsAt: Date.now() + HOUR_MS, endsAt: Date.now() + 2 * HOUR_MS }],
    ['where Postgres sells', { strategy: 'database' }],
  ])('[M7 J4] the end of a sale closed early, %s', async (_, input) => {
    const { sale, merchant } = await makeSale(input);
    const { saleId } = sale;
    const closed = await closeSale(merchant, saleId);
    const { before, after } = await acrossLoss(saleId);
    expect(before.state.status).toBe('ended');
    expect(before.state.endsAt).toBeLessThan(sale.endsAt);
    expect(before.state.endsAt).toBeLessThanOrEqual(Date.now());
    expect(closed).toMatchObject({ sale: { endsAt: before.state.endsAt } });
    expect(before.listed).toMatchObject({ endsAt: before.state.endsAt, status: 'ended' });
    expect(after).toEqual(before);
  });

  it('[M7 J4] the end of a sale closed after its end is its own', async () => {
    const { sale, merchant } = await makeSale({ startsAt: Date.now() - HOUR_MS, endsAt: Date.now() - 1_000 });
    await closeSale(merchant, sale.saleId);
    const { before, after } = await acrossLoss(sale.saleId);
    expect(before.state.endsAt).toBe(sale.endsAt);
    expect(after).toEqual(before);
  });

  it('[M7 J4] a pause and a later end', async () => {
    const { sale, merchant } = await makeSale();
    const { saleId, endsAt, version } = sale;
    expect(await editSale(merchant, saleId, { endsAt: endsAt + HOUR_MS, version })).toMatchObject({
      status: 'changed',
    });
    await setSalePaused(merchant, saleId, true);
    const { before, after } = await acrossLoss(saleId);
    expect(before.state).toMatchObject({ status: 'paused', endsAt: endsAt + HOUR_MS });
    expect(after).toEqual(before);
  });

  it('[H1 J4] how many have reserved', async () => {
    const { saleId } = await reservable();
    const [first = '', ...others] = await usersOf(3);
    for (const userId of [first, ...others]) await reserve(saleId, userId);
    await cancelReservation(saleId, first);
    await writeReservations();
    const { before, after } = await acrossLoss(saleId);
    expect(before.state.reservation).toMatchObject({ reserved: 2 });
    expect(after).toEqual(before);
  });

  it('[L4 J4] in the list also before the stock has been loaded again', async () => {
    const { saleId, merchant } = await soldOutSale();
    await drainOutbox(saleId);
    await closeSale(merchant, saleId);
    const { listed } = await publicView(saleId);
    await stockRedis().flushdb();
    const { sales } = await listedNow();
    expect(sales.find((sale) => sale.saleId === saleId)).toEqual(listed);
  });
});
