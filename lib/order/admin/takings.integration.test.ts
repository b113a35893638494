import { afterAll, describe, expect, it } from 'vitest';
import type { Actor } from '@/lib/actor/actor';
import { takingsFilter } from '@/lib/contract/shapes/takings';
import { parseCsv } from '@/lib/csv';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { ORDER_EPOCH_MS } from '@/lib/ids/order-no';
import { shardOf } from '@/lib/ids/shard-of';
import { releaseUnpaid } from '@/lib/payment/release-unpaid';
import { returnMoney } from '@/lib/payment/return-money';
import { payFor } from '@/lib/purchase/testing/pay-for';
import { buyForAll, createSaleFixture, makeOverdue } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { confirmPaid } from '@/lib/settlement/confirm-paid';
import { createOrders } from '@/lib/settlement/create-orders';
import { makeUser } from '@/test/support/make-sale';
import { exportOrders } from './export-orders';
import { exportTakings } from './export-takings';
import { refundOrder } from './refund-order';
import { refundPart } from './refund-part';
import { sumTakings } from './sum-takings';

afterAll(async () => {
  await closeRedis();
  await closeDb();
});

const asked = (filter: Record<string, unknown> = {}) => takingsFilter.parse(filter);

async function merchantOf(saleId: string): Promise<Actor> {
  const { merchantId } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
  return { userId: merchantId, role: 'merchant' };
}

async function cellsOf(pieces: AsyncGenerator<string>): Promise<string[][]> {
  let text = '';
  for await (const piece of pieces) text += piece;
  const parsed = parseCsv(text);
  return parsed.status === 'parsed' ? parsed.rows.slice(1).map(({ cells }) => cells) : [];
}

/** Makes a sale at 19.99 EUR of which somebody has paid and kept, got all back, got a part back, has not paid yet, and paid too late. */
async function soldInEveryWay() {
  const sale = await createSaleFixture({ users: 5, total: 4 });
  const merchant = await merchantOf(sale.saleId);
  const orders = await buyForAll(sale, 4);
  await createOrders({ saleId: sale.saleId, orders });
  const [kept, returned, inPart, late] = orders.map(({ orderNo }) => orderNo) as [
    string,
    string,
    string,
    string,
  ];
  for (const orderNo of [kept, returned, inPart]) await payFor(orderNo);
  await confirmPaid(orders.slice(0, 3).map(({ orderNo }) => ({ saleId: sale.saleId, orderNo })));
  await refundOrder(merchant, returned, { reason: 'scratched', returnStock: false });
  await refundPart(merchant, inPart, { amountMinor: 500, reason: 'late', requestId: 'request-1' });
  await makeOverdue([late]);
  await releaseUnpaid([late]);
  const [waiting] = await buyForAll({ ...sale, userIds: sale.userIds.slice(4) });
  if (!waiting) throw new Error('one purchase expected');
  await createOrders({ saleId: sale.saleId, orders: [waiting] });
  // No unit is free: this money goes back.
  await payFor(late);
  for (const orderNo of [returned, inPart, late]) await returnMoney([{ paymentId: `pay_${orderNo}` }]);
  return { ...sale, merchant };
}

/** Writes paid orders of 10.00 that were bought at these moments. */
async function paidAt(saleId: string, userId: string, moments: readonly string[], currency = 'EUR') {
  for (const moment of moments) {
    const at = Date.parse(moment);
    const shard = shardOf(userId);
    await db().$executeRaw`
      INSERT INTO orders (shard, id, sale_id, user_id, quantity, unit_price_minor, amount_minor, currency, status,
                          is_only_one, jti, epoch, accepted_at, pay_by, paid_at)
      VALUES (${shard}, (${at - ORDER_EPOCH_MS}::bigint << 22) | ${shard}::bigint, ${saleId}, ${userId}, 1, 1000, 1000, ${currency}, 'paid',
              false, ${newId('jti')}, 1, now(), now(), now())`;
  }
}

describe('sumTakings', () => {
  it('[O11] equals the books of the provider: what was taken, less what went back; and the exported orders', async () => {
    const { saleId, merchant } = await soldInEveryWay();
    const [sums, ...others] = await sumTakings(merchant, asked({ saleIds: saleId }));
    expect(others).toEqual([]);
    expect(sums).toEqual({
      day: null,
      sale: null,
      currency: 'EUR',
      orders: 3,
      takenMinor: 5_997,
      refundedMinor: 2_499,
      heldMinor: 1_999,
    });
    const [theirs] = await db().$queryRaw<{ held: number }[]>`
      SELECT sum(CASE WHEN b.refunded_at IS NULL THEN b.amount_minor - b.returned_minor ELSE 0 END)::int AS held
      FROM sandbox_payments b JOIN payments p ON p.id = b.payment_id
      JOIN orders o ON o.shard = p.shard AND o.id = p.order_id WHERE o.sale_id = ${saleId} AND b.outcome = 'succeeded'`;
    expect(theirs?.held).toBe(5_997 - 2_499);
    const lines = await cellsOf(exportOrders(merchant, { saleId }));
    const paid = lines.filter((cells) => ['paid', 'refunded'].includes(cells[9] ?? ''));
    const sumOf = (column: number) =>
      Math.round(paid.reduce((sum, cells) => sum + 100 * Number(cells[column]), 0));
    expect([sumOf(7), sumOf(17)]).toEqual([5_997, 2_499]);
    expect(await cellsOf(exportTakings(merchant, asked({ by: 'sale', saleIds: saleId })))).toEqual([
      ['', saleId, 'Lamp sale', 'EUR', '3', '59.97', '24.99', '34.98', '19.99'],
    ]);
  });

  it('[O11] counts an order on the day of its purchase, in the time zone asked for, and each currency apart', async () => {
    const { saleId, userIds } = await createSaleFixture({ users: 1 });
    const merchant = await merchantOf(saleId);
    const userId = userIds[0] ?? '';
    // Berlin puts its clocks back on 25 October; Kathmandu is 5:45 ahead.
    await paidAt(saleId, userId, ['2026-10-24T22:10:00Z', '2026-10-25T22:50:00Z', '2026-10-25T23:10:00Z']);
    await paidAt(saleId, userId, ['2026-10-25T10:00:00Z'], 'JPY');
    const days = async (timeZone: string, bounds = {}) =>
      (await sumTakings(merchant, asked({ by: 'day', saleIds: saleId, timeZone, ...bounds }))).map(
        ({ day, currency, orders, takenMinor }) => `${day} ${currency} ${orders} ${takenMinor}`,
      );
    expect(await days('Europe/Berlin')).toEqual([
      '2026-10-26 EUR 1 1000',
      '2026-10-25 EUR 2 2000',
      '2026-10-25 JPY 1 1000',
    ]);
    expect(await days('Asia/Kathmandu')).toEqual([
      '2026-10-26 EUR 2 2000',
      '2026-10-25 JPY 1 1000',
      '2026-10-25 EUR 1 1000',
    ]);
    expect(await days('UTC', { to: Date.parse('2026-10-25T00:00:00Z') })).toEqual(['2026-10-24 EUR 1 1000']);
    expect(await days('UTC', { from: Date.parse('2026-10-26T00:00:00Z') })).toEqual([]);
  });

  it('[O11] shows the newest 400 days, whatever the number of currencies; the file has all', async () => {
    const { saleId, userIds } = await createSaleFixture({ users: 1 });
    const merchant = await merchantOf(saleId);
    const firstMs = Date.parse('2026-03-01T12:00:00Z');
    const moments = Array.from({ length: 401 }, (_, day) =>
      new Date(firstMs + day * 86_400_000).toISOString(),
    );
    for (const [n, currency] of ['EUR', 'JPY'].entries())
      await paidAt(
        saleId,
        userIds[0] ?? '',
        moments.map((moment) => moment.replace('12:00', `12:0${n}`)),
        currency,
      );
    const filter = asked({ by: 'day', saleIds: saleId });
    const lines = await sumTakings(merchant, filter);
    expect(lines).toHaveLength(800);
    expect(new Set(lines.map(({ day }) => day)).size).toBe(400);
    expect(lines.at(-1)?.day).toBe('2026-03-02');
    expect(await cellsOf(exportTakings(merchant, filter))).toHaveLength(802);
  });

  it('[O11 L4] tells merchants of their own shops alone, staff of all, and narrows to a campaign', async () => {
    const [ours, theirs] = [await createSaleFixture({ users: 1 }), await createSaleFixture({ users: 1 })];
    for (const { saleId, userIds } of [ours, theirs])
      await paidAt(saleId, userIds[0] ?? '', ['2026-03-01T12:00:00Z']);
    const [merchant, support] = [await merchantOf(ours.saleId), await makeUser('support')];
    const salesOf = async (actor: Actor, filter = {}) =>
      (await sumTakings(actor, asked({ by: 'sale', ...filter }))).map(({ sale }) => sale?.saleId);
    const both = `${ours.saleId},${theirs.saleId}`;
    expect(await salesOf(merchant)).toEqual([ours.saleId]);
    expect(await salesOf(merchant, { saleIds: theirs.saleId })).toEqual([]);
    expect((await salesOf(support, { saleIds: both })).sort()).toEqual(both.split(',').sort());
    expect(await salesOf(await makeUser('shopper'))).toEqual([]);
    const campaignId = newId('campaign');
    const { merchantId } = await db().sale.findUniqueOrThrow({ where: { id: ours.saleId } });
    await db().campaign.create({
      data: {
        id: campaignId,
        merchantId,
        slug: campaignId.replaceAll('_', '-'),
        title: 'Week',
        description: '',
      },
    });
    expect(await salesOf(support, { campaignId })).toEqual([]);
    await db().sale.update({ where: { id: ours.saleId }, data: { campaignId } });
    expect(await salesOf(support, { campaignId, saleIds: both })).toEqual([ours.saleId]);
  });

  it.each([
    { saleIds: 'a b' },
    { saleIds: Array(101).fill('a').join(',') },
    { saleIds: '' },
    { by: 'week' },
    { from: -1 },
    { to: 'soon' },
    { timeZone: 'Mars/Olympus' },
  ])('[O11] %j is refused', (filter) => {
    expect(takingsFilter.safeParse(filter).success).toBe(false);
  });
});
