import { afterAll, describe, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { ensureStockLoaded } from '@/lib/loading/ensure-stock-loaded';
import { guardStock } from '@/lib/loading/guard-stock';
import { createPublisher } from '@/lib/metrics/publish-figures';
import { refundOrder } from '@/lib/order/admin/refund-order';
import { releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { readOpenSales } from '@/lib/outbox/open-sales';
import { unpackOrders } from '@/lib/outbox/order-batch';
import { readOutboxDepth } from '@/lib/outbox/read-outbox-depth';
import { relayOrders } from '@/lib/outbox/relay-orders';
import { silentLog } from '@/lib/outbox/testing/silent-log';
import type { RelayEvent } from '@/lib/outbox/types';
import { releaseUnpaid } from '@/lib/payment/release-unpaid';
import { returnMoney } from '@/lib/payment/return-money';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import { standOf } from '@/lib/purchase/testing/order-fixture';
import { payFor } from '@/lib/purchase/testing/pay-for';
import { forge, makeOverdue } from '@/lib/purchase/testing/sale-fixture';
import { reconcileSale } from '@/lib/reconcile/reconcile-sale';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { changeLimits } from '@/lib/sale/admin/change-limits';
import { closeSale } from '@/lib/sale/admin/close-sale';
import { setSalePaused } from '@/lib/sale/admin/pause-sale';
import { restockSale } from '@/lib/sale/admin/restock-sale';
import { confirmPaid } from '@/lib/settlement/confirm-paid';
import { createOrders } from '@/lib/settlement/create-orders';
import { sliceOf } from '@/lib/slice/numbers/slice-of';
import { configureStock } from '@/lib/stock/configure-stock';
import { readSettings } from '@/lib/stock/read-settings';
import { readStock } from '@/lib/stock/read-stock';
import { releaseStock } from '@/lib/stock/release-stock';
import { verifySale } from '@/lib/verify/verify-sale';
import { renderMetrics } from '@/lib/watch/render-metrics';
import { settleParcels } from './settle-parcels';
import { interruptMove } from './testing/interrupt';
import { createSplitSale, insist, readUnits, renewInfo, type SplitSale, userIn } from './testing/split-sale';

afterAll(async () => {
  await releaseOrderNos();
  await Promise.all([closeRedis(), closeDb()]);
});

describe('a split sale', () => {
  it('[M10] deals its units, reads as one, and has the relays read every outbox', async () => {
    const sale = await createSplitSale({ total: 10 });
    expect(await readUnits(sale)).toMatchObject({
      available: [3, 3, 2, 2],
      totals: [3, 3, 2, 2],
      dealt: [3, 3, 2, 2],
      parcels: [],
    });
    expect(await readStock(sale.saleId)).toMatchObject({ total: 10, available: 10, held: 0, sold: 0 });
    expect(await readOpenSales()).toEqual(expect.arrayContaining([...sale.stocks]));
    const row = await db().sale.findUniqueOrThrow({ where: { id: sale.saleId } });
    expect([row.epoch, row.sliceEpochs]).toEqual([5, [2, 3, 4, 5]]);
  });

  it('[M10] sells every unit to the buyers of any slice, and says sold out when all are', async () => {
    const sale = await createSplitSale({ total: 10 });
    const answers: string[] = [];
    for (let n = 0; n < 13; n += 1) answers.push((await insist(sale, userIn(sale, 2))).status);
    expect(answers).toEqual([...Array(10).fill('accepted'), 'sold_out', 'sold_out', 'sold_out']);
    expect(await readUnits(sale)).toMatchObject({
      available: [0, 0, 0, 0],
      totals: [0, 0, 10, 0],
      dealt: [0, 0, 10, 0],
      sent: [0, 0, 0, 0],
      parcels: [],
    });
    expect(await stockRedis().xlen(keys.outbox(sale.stocks[2] as string))).toBe(10);
  });

  it('[M10] shows units on their way as for sale, and a worker brings them to where they should be', async () => {
    const sale = await createSplitSale({ total: 1 });
    await interruptMove(sale, { from: 0, to: 2, units: 1, stage: 'moved' });
    expect(await readUnits(sale)).toMatchObject({ available: [0, 0, 0, 0], sent: [1, 0, 0, 0] });
    expect(await readStock(sale.saleId)).toMatchObject({ total: 1, available: 1 });
    expect(await broken(sale.saleId)).toEqual([]);
    expect(await guardStock()).toEqual([]);
    expect(await readUnits(sale)).toMatchObject({ available: [0, 0, 1, 0], sent: [0, 0, 0, 0], parcels: [] });
  });

  it('[M10 J2] tells how many units each slice has, how many came to it, and when', async () => {
    const sale = await createSplitSale({ total: 10 });
    for (let n = 0; n < 4; n += 1) await insist(sale, userIn(sale, 3));
    await createPublisher('web')();
    const lines = (await renderMetrics())
      .split('\n')
      .filter((line) => line.includes(`sale="${sale.saleId}"`));
    const figure = (name: string, ...labels: string[]) =>
      Number(
        lines
          .find((line) => line.startsWith(`${name}{`) && labels.every((one) => line.includes(one)))
          ?.split(' ')
          .at(-1),
      );
    const units = (await readUnits(sale)).available;
    for (const slice of [0, 1, 2, 3])
      expect(figure('seckill_slice_units', `slice="${slice}"`, 'tier="available"')).toBe(units[slice]);
    expect(figure('seckill_slice_units', 'slice="3"', 'tier="held"')).toBe(4);
    // Slice 3 had two units, and two more were bought there.
    const moved = figure('seckill_slice_units_moved_total', 'slice="3"');
    expect(moved).toBe(2 + (units[3] ?? 0));
    const movedAt = figure('seckill_slice_last_move_seconds', 'slice="3"');
    expect(Math.abs(Date.now() / 1_000 - movedAt)).toBeLessThan(60);
  });

  it('[M10 E2] has its orders relayed from every slice, under its own name', async () => {
    const sale = await createSplitSale({ total: 8 });
    for (const slice of [0, 1, 2, 3]) await insist(sale, userIn(sale, slice));
    const sent: { saleId: string; orders: unknown[] }[] = [];
    const relay = new AbortController();
    const send = async ({ data }: RelayEvent) => {
      for (const batch of unpackOrders(data)) if (batch.saleId === sale.saleId) sent.push(batch);
    };
    const options = { send, bury: async () => {}, consumer: newId('relay'), log: silentLog };
    const relaying = relayOrders(options, relay.signal);
    await expect.poll(() => sent.reduce((count, { orders }) => count + orders.length, 0)).toBe(4);
    await expect.poll(async () => (await readOutboxDepth(sale.saleId)).depth).toBe(0);
    relay.abort();
    await relaying;
  });

  it('[M10 M7 B7] is paused, limited, longer and over in all slices; what was left undone in one the reconciliation does', async () => {
    const { sale, merchant } = await withMerchant();
    const { saleId, stocks } = sale;
    await setSalePaused(merchant, saleId, true);
    expect(await statusesIn(sale)).toEqual(Array(4).fill('paused'));
    await setSalePaused(merchant, saleId, false);
    // A process died after it had told one slice only.
    await configureStock({ saleId: stocks[2] as string, epoch: 4, paused: true });
    const report = await reconcileSale(saleId, { cause: 'demand', isRepairing: true, graceMs: 50 });
    expect(report).toMatchObject({ report: { found: 1, repaired: 1, differences: [{ kind: 'settings' }] } });
    expect(await statusesIn(sale)).toEqual(Array(4).fill('accepted'));
    const interfaceLimit = { algorithm: 'fixed-window', limit: 10, windowSec: 60 } as const;
    await changeLimits(merchant, saleId, { interface: interfaceLimit });
    const limits = await Promise.all(stocks.map(async (stockId) => (await readSettings(stockId))?.limits));
    expect(limits).toEqual(Array(4).fill('- 0 0 f 3 60000 - 0 0'));
    expect(await closeSale(merchant, saleId)).toMatchObject({ status: 'changed' });
    await renewInfo(sale);
    expect(await statusesIn(sale)).toEqual(Array(4).fill('ended'));
    expect(await broken(saleId)).toEqual([]);
  });

  it('[M10 M7] gets more units in all slices, and gives back those that are for sale, wherever they are', async () => {
    const { sale, merchant } = await withMerchant();
    const { saleId } = sale;
    expect(await restockSale(merchant, saleId, 6)).toMatchObject({ stock: { total: 16, available: 16 } });
    expect(await readUnits(sale)).toMatchObject({ totals: [5, 5, 3, 3], dealt: [5, 5, 3, 3], parcels: [] });
    const less = { requestId: 'take_eleven' };
    for (const _ of [1, 2])
      expect(await restockSale(merchant, saleId, -11, less)).toMatchObject({
        stock: { total: 5, available: 5 },
      });
    expect(await restockSale(merchant, saleId, -6)).toEqual({ status: 'below_committed', available: 5 });
    expect(await readUnits(sale)).toMatchObject({
      totals: [0, 0, 2, 3],
      dealt: [0, 0, 2, 3],
      sent: [0, 0, 0, 0],
    });
    expect(await broken(saleId)).toEqual([]);
  });

  it('[M10 C6 I9 I10] follows its orders: unpaid, paid, paid late and refunded, units go back to where their buyer buys', async () => {
    const { sale, merchant } = await withMerchant({ total: 6, users: 6 });
    const { saleId, userIds } = sale;
    const orders = await Promise.all(userIds.map((userId) => insist(sale, userId)));
    const orderNos = orders.map((order) => ('orderNo' in order ? order.orderNo : ''));
    expect(await drainOutbox(saleId)).toBe(6);
    const [late = '', paid = '', writtenOff = ''] = orderNos;
    await Promise.all([paid, writtenOff].map(payFor));
    await confirmPaid([paid, writtenOff].map((orderNo) => ({ saleId, orderNo })));
    await makeOverdue([late]);
    await releaseUnpaid([late]);
    expect(await readStock(saleId)).toMatchObject({ available: 1, held: 3, sold: 2 });
    // A buyer of another slice takes the unit that came back, and gives it back; the late money finds it there.
    const other = userIn(sale, (sliceOf(userIds[0] as string, 4) + 1) % 4);
    const taken = await insist(sale, other);
    expect(taken.status).toBe('accepted');
    await releaseStock({ saleId, userId: other, orderNo: 'orderNo' in taken ? taken.orderNo : '' });
    await stockRedis().hdel(keys.buyers(sale.stocks[sliceOf(other, 4)] as string), other);
    for (const stockId of sale.stocks) await stockRedis().xtrim(keys.outbox(stockId), 'MAXLEN', 0);
    await payFor(late);
    await returnMoney([{ paymentId: `pay_${late}` }]);
    expect(await standOf(late)).toBe('paid, payment succeeded');
    await confirmPaid([{ saleId, orderNo: late }]);
    await refundOrder(merchant, writtenOff, { reason: 'broken', returnStock: false });
    await returnMoney([{ paymentId: `pay_${writtenOff}` }]);
    expect(await readStock(saleId)).toMatchObject({ total: 5, available: 0, held: 3, sold: 2 });
    expect((await readUnits(sale)).dealt.reduce((sum, units) => sum + units, 0)).toBe(5);
    expect(await broken(saleId)).toEqual([]);
  });

  it('[M10 C7 E6] is loaded again where a slice has what it should not have', async () => {
    const { sale } = await withMerchant({ users: 5 });
    for (const userId of sale.userIds) await insist(sale, userId);
    await drainOutbox(sale.saleId);
    const before = await readUnits(sale);
    const key = keys.sale(sale.stocks[3] as string);
    await stockRedis().hincrby(key, 'total', 2);
    await stockRedis().hincrby(key, 'available', 2);
    expect(await broken(sale.saleId)).toEqual([2]);
    const result = await reconcileSale(sale.saleId, { cause: 'demand', isRepairing: true, graceMs: 50 });
    expect(result).toMatchObject({ report: { ok: true, differences: [{ kind: 'phantom_unit' }] } });
    expect(await readUnits(sale)).toEqual(before);
    expect(await broken(sale.saleId)).toEqual([]);
  });

  it('[M10 J4] an order that Postgres gave a slice no unit for finds one when the slice is loaded', async () => {
    const { sale } = await withMerchant({ total: 4, users: 0 });
    const userId = userIn(sale, 1);
    await db().user.create({
      data: { id: userId, email: `${userId}@example.com`, name: 'A', passwordHash: '!' },
    });
    // Its slice has one unit, and Postgres has written two orders: the second was promised by a copy that was older.
    const bought = await insist(sale, userIn(sale, 1));
    expect(bought.status).toBe('accepted');
    await createOrders({ saleId: sale.saleId, orders: [forge(sale, userId)] });
    await stockRedis().unlink(keys.sale(sale.stocks[1] as string));
    await ensureStockLoaded(sale.saleId, [1]);
    const units = await readUnits(sale);
    expect(units.dealt.reduce((sum, one) => sum + one, 0)).toBe(4);
    expect(units.totals[1]).toBe(units.dealt[1]);
    expect(units.parcels.length === 0 || units.parcels.every(({ receiver }) => receiver === 1)).toBe(true);
    await settleParcels(sale.saleId);
    expect(await readStock(sale.saleId)).toMatchObject({ total: 4, available: 2, held: 2 });
  });
});

async function withMerchant(options: Parameters<typeof createSplitSale>[0] = {}) {
  const sale = await createSplitSale(options);
  const { merchantId } = await db().sale.findUniqueOrThrow({ where: { id: sale.saleId } });
  return { sale, merchant: { userId: merchantId, role: 'merchant' as const } };
}

/** Asks for a unit in each slice. */
const statusesIn = (sale: SplitSale): Promise<string[]> =>
  Promise.all([0, 1, 2, 3].map(async (slice) => (await insist(sale, userIn(sale, slice))).status));

/** Returns the numbers of the invariants that are broken. */
const broken = async (saleId: string) =>
  (await verifySale(saleId, { settleMs: 300 }))?.invariants.filter(({ ok }) => !ok).map(({ id }) => id);
