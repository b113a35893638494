import { afterAll, describe, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { shardOf } from '@/lib/ids/shard-of';
import {
  buy,
  buyForAll,
  countStock,
  createSaleFixture,
  forge,
  readStates,
} from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { readBuyer } from '@/lib/stock/read-buyer';
import { compensateOrders } from './compensate-orders';
import { createOrders } from './create-orders';

afterAll(async () => {
  await closeRedis();
  await closeDb();
});

const letters = (saleId: string) =>
  db().deadLetter.findMany({ where: { saleId }, orderBy: { orderNo: 'asc' } });
const stateOf = async (saleId: string, userId: string) =>
  (await readBuyer(saleId, userId)).map(({ state }) => state);

describe('createOrders', () => {
  it('[E1 E9 I4] writes a batch of 500 orders, each with its payment, and counts their units', async () => {
    const sale = await createSaleFixture({ total: 500, users: 500 });
    const orders = await buyForAll(sale);
    const before = Date.now();
    const { orderNos, deadlines } = await createOrders({ saleId: sale.saleId, orders });

    expect(new Set(orderNos)).toEqual(new Set(orders.map(({ orderNo }) => orderNo)));
    expect([...deadlines.keys()]).toEqual([sale.saleId]);
    expect(deadlines.get(sale.saleId)).toBeGreaterThanOrEqual(before + 900_000 - 1000);
    const rows = await db().order.findMany({ where: { saleId: sale.saleId }, include: { payment: true } });
    expect(rows).toHaveLength(500);
    for (const row of rows) {
      expect(row).toMatchObject({
        status: 'pending_payment',
        amountMinor: 1999,
        currency: 'EUR',
        isOnlyOne: true,
      });
      expect(row.shard).toBe(shardOf(row.userId));
      expect(row.payment).toMatchObject({
        id: `pay_${row.id}`,
        status: 'pending',
        amountMinor: 1999,
        provider: 'sandbox',
      });
    }
    expect(await countStock(sale.saleId)).toEqual({
      redis: { available: 0, held: 500, sold: 0 },
      postgres: { held: 500, sold: 0 },
    });
  });

  it('[E4 F1] a redelivery changes nothing and gets the same answer', async () => {
    const sale = await createSaleFixture();
    const orders = await buyForAll(sale);
    const first = await createOrders({ saleId: sale.saleId, orders });
    const second = await createOrders({ saleId: sale.saleId, orders: [...orders].reverse() });
    expect(new Set(second.orderNos)).toEqual(new Set(first.orderNos));
    expect(second.deadlines).toEqual(first.deadlines);
    expect((await countStock(sale.saleId)).postgres).toEqual({ held: 3, sold: 0 });
    expect(await letters(sale.saleId)).toEqual([]);
  });

  it('[E4] overlapping batches delivered at the same time write every order once', async () => {
    const sale = await createSaleFixture({ total: 50, users: 50 });
    const orders = await buyForAll(sale);
    const slices = [orders, orders.slice(0, 30), orders.slice(20), [...orders].reverse(), orders];
    await Promise.all(slices.map((slice) => createOrders({ saleId: sale.saleId, orders: slice })));
    expect((await readStates(sale.saleId)).size).toBe(50);
    expect((await countStock(sale.saleId)).postgres).toEqual({ held: 50, sold: 0 });
    expect(await letters(sale.saleId)).toEqual([]);
  });

  it('[F1] an order that is there already counts as placed, also without its processed message', async () => {
    const sale = await createSaleFixture();
    const orders = await buyForAll(sale, 2);
    await createOrders({ saleId: sale.saleId, orders });
    await db().$executeRaw`TRUNCATE processed_messages`;
    const { orderNos } = await createOrders({ saleId: sale.saleId, orders });
    expect(orderNos).toHaveLength(2);
    expect((await countStock(sale.saleId)).postgres.held).toBe(2);
    expect(await letters(sale.saleId)).toEqual([]);
  });

  it('[E5 C6] poisoned orders are compensated alone; the other 298 are written, most of them together', async () => {
    const sale = await createSaleFixture({ total: 300, users: 298 });
    const ghosts = [newId('user'), newId('user')];
    const good = await buyForAll(sale);
    const poison = [await buy(sale, ghosts[0] ?? ''), await buy(sale, ghosts[1] ?? '')];
    const orders = [...good, ...poison];
    const { orderNos } = await createOrders({ saleId: sale.saleId, orders });
    expect(new Set(orderNos)).toEqual(new Set(good.map(({ orderNo }) => orderNo)));
    const written = await letters(sale.saleId);
    expect(written.map(({ messageId }) => messageId)).toEqual(poison.map(({ orderNo }) => orderNo));
    for (const letter of written) {
      expect(letter).toMatchObject({ consumer: 'create-orders', orderNo: BigInt(letter.messageId) });
      expect(letter.releasedAt).not.toBeNull();
    }
    for (const ghost of ghosts) expect(await stateOf(sale.saleId, ghost)).toEqual(['released']);
    expect(await countStock(sale.saleId)).toEqual({
      redis: { available: 2, held: 298, sold: 0 },
      postgres: { held: 298, sold: 0 },
    });
    // 300 are halved down to the two at fault. Orders written together carry the same time.
    const [row] = await db().$queryRaw<{ transactions: number }[]>`
      SELECT count(DISTINCT created_at)::int AS transactions FROM orders WHERE sale_id = ${sale.saleId}`;
    expect(row?.transactions).toBeLessThanOrEqual(18);
    const again = await createOrders({ saleId: sale.saleId, orders });
    expect(again.orderNos).toHaveLength(298);
    expect(await letters(sale.saleId)).toHaveLength(2);
  });

  it('[C2 C6] what Redis oversold Postgres refuses: those that fit are written, the rest fail and are told so', async () => {
    const sale = await createSaleFixture({ total: 5, users: 5 });
    const orders = await buyForAll(sale);
    await db().$executeRaw`UPDATE sales SET total_stock = 3 WHERE id = ${sale.saleId}`;
    const { orderNos } = await createOrders({ saleId: sale.saleId, orders });
    expect(orderNos).toHaveLength(3);
    const states = [...(await readStates(sale.saleId)).values()];
    expect(states.filter(({ status }) => status === 'pending_payment')).toHaveLength(3);
    const failed = states.filter(({ status }) => status === 'failed');
    expect(failed).toHaveLength(2);
    for (const state of failed) expect(state).toMatchObject({ endReason: 'sale_full', isSettled: true });
    expect((await letters(sale.saleId)).map(({ error }) => error)).toEqual(['sale_full', 'sale_full']);
    expect(await countStock(sale.saleId)).toEqual({
      redis: { available: 2, held: 3, sold: 0 },
      postgres: { held: 3, sold: 0 },
    });
  });

  it('[C1] a second live order of a user where one is allowed is refused by the partial index', async () => {
    const sale = await createSaleFixture();
    const [userId = ''] = sale.userIds;
    const first = await buy(sale, userId);
    await createOrders({ saleId: sale.saleId, orders: [first] });
    const second = forge(sale, userId);
    const other = await buy(sale, sale.userIds[1] ?? '');
    const { orderNos } = await createOrders({ saleId: sale.saleId, orders: [second, other] });
    expect(orderNos).toEqual([other.orderNo]);
    const states = await readStates(sale.saleId);
    expect(states.get(first.orderNo)?.status).toBe('pending_payment');
    expect(states.get(second.orderNo)).toMatchObject({ status: 'failed', endReason: 'duplicate_order' });
    // The hold of the first order is not touched.
    expect(await stateOf(sale.saleId, userId)).toEqual(['held']);
    expect(await countStock(sale.saleId)).toEqual({
      redis: { available: 8, held: 2, sold: 0 },
      postgres: { held: 2, sold: 0 },
    });
  });

  it('[E1 E4 E9] orders of several sales are written together, once each, also by deliveries that overlap', async () => {
    const sales = await Promise.all(
      Array.from({ length: 5 }, () => createSaleFixture({ total: 20, users: 20 })),
    );
    const batches = await Promise.all(
      sales.map(async (sale) => ({ saleId: sale.saleId, orders: await buyForAll(sale) })),
    );
    const firstHalves = batches.map(({ saleId, orders }) => ({ saleId, orders: orders.slice(0, 10) }));
    const { orderNos, deadlines } = await createOrders(...firstHalves);
    expect(orderNos).toHaveLength(50);
    expect(new Set(deadlines.keys())).toEqual(new Set(sales.map(({ saleId }) => saleId)));
    const [row] = await db().$queryRaw<{ moments: number }[]>`
      SELECT count(DISTINCT created_at)::int AS moments FROM orders
      WHERE sale_id = ANY(${sales.map(({ saleId }) => saleId)})`;
    expect(row?.moments).toBe(1);
    // In other orders, so that the sales' rows are wanted crosswise.
    const deliveries = [batches, [...batches].reverse(), batches.slice(2), [...batches].reverse()];
    await Promise.all(deliveries.map((delivery) => createOrders(...delivery)));
    for (const { saleId } of sales) {
      expect((await countStock(saleId)).postgres).toEqual({ held: 20, sold: 0 });
      expect(await letters(saleId)).toEqual([]);
    }
  });

  it('[E5 C2] what one sale refuses leaves the others of its event alone', async () => {
    const [full, fine] = [await createSaleFixture({ total: 5, users: 5 }), await createSaleFixture()];
    const batches = [
      { saleId: full.saleId, orders: await buyForAll(full) },
      { saleId: fine.saleId, orders: await buyForAll(fine) },
      { saleId: newId('sale'), orders: [forge(fine, fine.userIds[0] ?? '')] },
    ];
    await db().$executeRaw`UPDATE sales SET total_stock = 3 WHERE id = ${full.saleId}`;
    const { orderNos, deadlines } = await createOrders(...batches);
    expect(orderNos).toHaveLength(6);
    expect(deadlines.size).toBe(2);
    expect((await countStock(full.saleId)).postgres).toEqual({ held: 3, sold: 0 });
    expect((await letters(full.saleId)).map(({ error }) => error)).toEqual(['sale_full', 'sale_full']);
    expect((await countStock(fine.saleId)).postgres).toEqual({ held: 3, sold: 0 });
    expect(await letters(fine.saleId)).toEqual([]);
    const again = await createOrders(...batches);
    expect(again).toEqual({ orderNos, deadlines });
  });

  it('[F2] an entry token makes one order, whatever number it comes with', async () => {
    const sale = await createSaleFixture({ limit: 5 });
    const [userId = ''] = sale.userIds;
    const first = await buy(sale, userId);
    await createOrders({ saleId: sale.saleId, orders: [first] });
    const { orderNos } = await createOrders({
      saleId: sale.saleId,
      orders: [forge(sale, userId, { jti: first.jti })],
    });
    expect(orderNos).toEqual([]);
    expect((await countStock(sale.saleId)).postgres.held).toBe(1);
  });

  it('[E5] impossible amounts and unknown sales become dead letters', async () => {
    const sale = await createSaleFixture({ total: -1, priceMinor: 1_000_000_000 });
    const [one = '', two = ''] = sale.userIds;
    const huge = forge(sale, one, { quantity: 1000 });
    const fine = forge(sale, two);
    expect((await createOrders({ saleId: sale.saleId, orders: [huge, fine] })).orderNos).toEqual([
      fine.orderNo,
    ]);
    expect((await letters(sale.saleId)).map(({ messageId }) => messageId)).toEqual([huge.orderNo]);
    const lost = forge(sale, one);
    expect(await createOrders({ saleId: 'sale_nowhere', orders: [lost] })).toEqual({
      orderNos: [],
      deadlines: new Map(),
    });
    expect(await letters('sale_nowhere')).toHaveLength(1);
  });
});

describe('compensateOrders', () => {
  it('[E5 I9] gives up what was not written and leaves alone what was', async () => {
    const sale = await createSaleFixture();
    const [written, lost] = await buyForAll(sale, 2);
    if (!written || !lost) throw new Error('two purchases expected');
    await createOrders({ saleId: sale.saleId, orders: [written] });
    const batch = { saleId: sale.saleId, orders: [written, lost] };
    expect(await compensateOrders(batch, 'gave up')).toEqual([lost.orderNo]);
    expect(await compensateOrders(batch, 'gave up')).toEqual([]);
    const states = await readStates(sale.saleId);
    expect(states.get(written.orderNo)?.status).toBe('pending_payment');
    expect(states.get(lost.orderNo)).toMatchObject({ status: 'failed', isSettled: true });
    expect((await letters(sale.saleId)).map(({ error }) => error)).toEqual(['gave up']);
    expect(await countStock(sale.saleId)).toEqual({
      redis: { available: 9, held: 1, sold: 0 },
      postgres: { held: 1, sold: 0 },
    });
    // A late delivery of the batch finds that the purchase was given up, and does not bring it back.
    expect((await createOrders(batch)).orderNos).toEqual([written.orderNo]);
    expect((await readStates(sale.saleId)).get(lost.orderNo)?.status).toBe('failed');
  });
});
