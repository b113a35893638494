import { afterAll, describe, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { shardOf } from '@/lib/ids/shard-of';
import { ensureStockLoaded } from '@/lib/loading/ensure-stock-loaded';
import { refundOrder } from '@/lib/order/admin/refund-order';
import { cancelOrder } from '@/lib/order/cancel-order';
import { recordFailedOrder } from '@/lib/order/records/record-failed-order';
import { releaseDue, releaseUnpaid } from '@/lib/payment/release-unpaid';
import { sweep } from '@/lib/payment/sweep';
import { createOrderFixture } from '@/lib/purchase/testing/order-fixture';
import { payFor } from '@/lib/purchase/testing/pay-for';
import {
  buy,
  buyForAll,
  countStock,
  createSaleFixture,
  makeOverdue,
  readStates,
  type SaleFixture,
} from '@/lib/purchase/testing/sale-fixture';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { readBuyer } from '@/lib/stock/read-buyer';
import { readStock } from '@/lib/stock/read-stock';
import { releaseStock } from '@/lib/stock/release-stock';
import { makeUser } from '@/test/support/make-sale';
import { confirmPaid } from './confirm-paid';
import { createOrders } from './create-orders';

afterAll(async () => {
  await closeRedis();
  await closeDb();
});

/** Buys for every user and writes the orders. */
async function order(sale: SaleFixture) {
  const orders = await buyForAll(sale);
  await createOrders({ saleId: sale.saleId, orders });
  return { orders, orderNos: orders.map(({ orderNo }) => orderNo) };
}

/** Returns a user of another shard: one of the same may have lost an order with the sales that other tests break. */
function strangerTo(userId: string): string {
  for (;;) {
    const stranger = newId('user');
    if (shardOf(stranger) !== shardOf(userId)) return stranger;
  }
}

/** Makes the last change of these orders a minute old. */
const age = (saleId: string) =>
  db().$executeRaw`UPDATE orders SET updated_at = now() - interval '1 minute' WHERE sale_id = ${saleId}`;

describe('releaseUnpaid', () => {
  it('[C7 E7] cancels what is due, leaves the rest, and the units can be bought again', async () => {
    const sale = await createSaleFixture({ total: 3 });
    const { orders, orderNos } = await order(sale);
    const [first = '', second = '', third = ''] = orderNos;
    await makeOverdue([first]);
    await payFor(second);
    const released = await releaseUnpaid(orderNos);
    expect(released).toEqual([first]);
    const states = await readStates(sale.saleId);
    expect(states.get(first)).toMatchObject({
      status: 'cancelled',
      endReason: 'expired',
      isSettled: true,
      version: 2,
    });
    expect(states.get(second)?.status).toBe('paid');
    expect(states.get(third)?.status).toBe('pending_payment');
    expect(await countStock(sale.saleId)).toEqual({
      redis: { available: 1, held: 2, sold: 0 },
      postgres: { held: 2, sold: 0 },
    });
    await createOrders({ saleId: sale.saleId, orders: [await buy(sale, orders[0]?.userId ?? '')] });
    expect((await countStock(sale.saleId)).postgres.held).toBe(3);
  });

  it('[C6 F5] repeated, also at the same time, gives every unit back once', async () => {
    const sale = await createSaleFixture({ total: 40, users: 40 });
    const { orderNos } = await order(sale);
    await makeOverdue(orderNos);
    const batches = [orderNos, [...orderNos].reverse(), orderNos.slice(10), orderNos.slice(0, 25)];
    const results = await Promise.all(batches.map((some) => releaseUnpaid(some)));
    expect(results.flat().sort()).toEqual([...orderNos].sort());
    expect(await countStock(sale.saleId)).toEqual({
      redis: { available: 40, held: 0, sold: 0 },
      postgres: { held: 0, sold: 0 },
    });
  });
});

describe('releaseDue', () => {
  it('[C7 E7] cancels all that is due in a sale, however much it is, and nothing else', async () => {
    const sale = await createSaleFixture({ total: 520, users: 520 });
    const other = await createSaleFixture({ total: 1, users: 1 });
    const { orderNos } = await order(sale);
    const later = orderNos.slice(0, 5);
    await makeOverdue([...orderNos.slice(5), ...(await order(other)).orderNos]);
    const counts = await Promise.all([releaseDue([sale.saleId]), releaseDue([sale.saleId])]);
    expect(counts.reduce((sum, { cancelled }) => sum + cancelled, 0)).toBe(515);
    expect(await releaseDue([sale.saleId])).toEqual({ cancelled: 0, hasMore: false });
    const states = await readStates(sale.saleId);
    expect(later.every((orderNo) => states.get(orderNo)?.status === 'pending_payment')).toBe(true);
    expect(await countStock(sale.saleId)).toMatchObject({ redis: { available: 515, held: 5, sold: 0 } });
    expect(await countStock(other.saleId)).toMatchObject({ postgres: { held: 1 } });
    expect(await releaseDue([other.saleId])).toEqual({ cancelled: 1, hasMore: false });
  });

  it('[C7 E7] releases several sales together; one whose counters refuse it holds up no other', async () => {
    const sales = await Promise.all([1, 2, 3].map(() => createSaleFixture({ total: 20, users: 20 })));
    for (const sale of sales) await makeOverdue((await order(sale)).orderNos);
    const broken = sales[1]?.saleId ?? '';
    await db().$executeRaw`UPDATE sales SET held_stock = 0 WHERE id = ${broken}`;
    await expect(releaseDue(sales.map(({ saleId }) => saleId))).rejects.toThrow();
    for (const { saleId } of sales.filter((sale) => sale.saleId !== broken))
      expect(await countStock(saleId)).toEqual({
        redis: { available: 20, held: 0, sold: 0 },
        postgres: { held: 0, sold: 0 },
      });
    expect(await countStock(broken)).toMatchObject({ redis: { available: 0, held: 20, sold: 0 } });
    await db().$executeRaw`UPDATE sales SET held_stock = 20 WHERE id = ${broken}`;
    expect(await releaseDue([broken])).toEqual({ cancelled: 20, hasMore: false });
  });

  it('[C7] says when a call leaves some to the next one', async () => {
    const sale = await createSaleFixture({ total: 5, users: 5 });
    await makeOverdue((await order(sale)).orderNos);
    const few = { foundAtOnce: 2, looks: 2 };
    expect(await releaseDue([sale.saleId], few)).toEqual({ cancelled: 4, hasMore: true });
    expect(await releaseDue([sale.saleId], few)).toEqual({ cancelled: 1, hasMore: false });
  });
});

it('[C6 E2] batches that are written, confirmed and released at the same moment count every unit once', async () => {
  const sale = await createSaleFixture({ total: 200, users: 200 });
  const { saleId } = sale;
  const orders = await buyForAll(sale);
  const inParts = <T>(all: readonly T[]) =>
    Array.from({ length: all.length / 5 }, (_, n) => all.slice(n * 5, n * 5 + 5));
  await Promise.all(inParts(orders).map((part) => createOrders({ saleId, orders: part })));
  expect((await countStock(saleId)).postgres).toEqual({ held: 200, sold: 0 });
  const orderNos = orders.map(({ orderNo }) => orderNo);
  const paid = orderNos.slice(0, 100);
  await Promise.all(paid.map(payFor));
  await makeOverdue(orderNos.slice(100));
  await Promise.all([
    ...inParts(paid).map((part) => confirmPaid(part.map((orderNo) => ({ saleId, orderNo })))),
    ...inParts(orderNos.slice(100)).map((part) => releaseUnpaid(part)),
  ]);
  expect(await countStock(saleId)).toEqual({
    redis: { available: 100, held: 0, sold: 100 },
    postgres: { held: 0, sold: 100 },
  });
});

describe('confirmPaid', () => {
  it('[C6 E4] moves held to sold once, however often and in however many batches it is told', async () => {
    const sale = await createSaleFixture({ total: 20, users: 20 });
    const { orderNos } = await order(sale);
    const paid = orderNos.slice(0, 15);
    for (const orderNo of paid) await payFor(orderNo);
    const messages = orderNos.map((orderNo) => ({ saleId: sale.saleId, orderNo }));
    const counts = await Promise.all([messages, messages.slice(5), [...messages].reverse()].map(confirmPaid));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(15);
    expect(await confirmPaid(messages)).toBe(0);
    expect(await countStock(sale.saleId)).toEqual({
      redis: { available: 0, held: 5, sold: 15 },
      postgres: { held: 5, sold: 15 },
    });
    const states = await readStates(sale.saleId);
    expect(paid.every((orderNo) => states.get(orderNo)?.isSettled)).toBe(true);
  });

  it('[C6 E5] a sale whose units can not be confirmed does not hold up the others of its batch', async () => {
    const sales = [
      await createSaleFixture({ total: 1, users: 1 }),
      await createSaleFixture({ total: 1, users: 1 }),
    ];
    const messages = [];
    for (const sale of sales) {
      const [orderNo = ''] = (await order(sale)).orderNos;
      await payFor(orderNo);
      messages.push({ saleId: sale.saleId, orderNo });
    }
    const [broken, whole] = sales.map(({ saleId }) => saleId);
    await db().$executeRaw`UPDATE sales SET held_stock = 0 WHERE id = ${broken}`;
    await expect(confirmPaid(messages)).rejects.toThrow(/held_stock|check/i);
    expect(await countStock(whole ?? '')).toEqual({
      redis: { available: 0, held: 0, sold: 1 },
      postgres: { held: 0, sold: 1 },
    });
    expect([...(await readStates(whole ?? '')).values()]).toMatchObject([{ isSettled: true }]);
    await db().$executeRaw`UPDATE sales SET held_stock = 1 WHERE id = ${broken}`;
    expect(await confirmPaid(messages)).toBe(1);
  });

  it('[C6 J1] an order that Redis can not be told of does not hold up the others', async () => {
    const sale = await createSaleFixture({ total: 2, users: 2 });
    const { orderNos } = await order(sale);
    for (const orderNo of orderNos) await payFor(orderNo);
    // A record of another type makes the script fail for this sale.
    const other = await createSaleFixture({ total: 1, users: 1 });
    const [otherNo = ''] = (await order(other)).orderNos;
    await payFor(otherNo);
    const buyers = await stockRedis().hgetall(keys.buyers(other.saleId));
    await stockRedis().set(keys.buyers(other.saleId), 'broken');
    const messages = [
      { saleId: other.saleId, orderNo: otherNo },
      ...orderNos.map((orderNo) => ({ saleId: sale.saleId, orderNo })),
    ];
    await expect(confirmPaid(messages)).rejects.toThrow(/WRONGTYPE/);
    expect([...(await readStates(sale.saleId)).values()].map(({ isSettled }) => isSettled)).toEqual([
      true,
      true,
    ]);
    expect((await readStates(other.saleId)).get(otherNo)?.isSettled).toBe(false);
    await stockRedis().del(keys.buyers(other.saleId));
    await stockRedis().hset(keys.buyers(other.saleId), buyers);
    await confirmPaid(messages);
    expect((await readStates(other.saleId)).get(otherNo)?.isSettled).toBe(true);
  });

  it('[B2] a rebuild between the counters and Redis neither loses nor doubles a unit', async () => {
    const sale = await createSaleFixture({ total: 5 });
    const { orderNos } = await order(sale);
    const messages = orderNos.map((orderNo) => ({ saleId: sale.saleId, orderNo }));
    for (const orderNo of orderNos) await payFor(orderNo);
    await confirmPaid(messages.slice(0, 2));
    // As if the process had died after the transaction: the outcome has not reached Redis, which then loses its data.
    await db().$executeRaw`UPDATE orders SET stock_settled_at = NULL WHERE sale_id = ${sale.saleId}`;
    await stockRedis().del(keys.sale(sale.saleId), keys.buyers(sale.saleId));
    expect(await ensureStockLoaded(sale.saleId)).toEqual({ status: 'loaded' });
    await confirmPaid(messages);
    expect(await countStock(sale.saleId)).toEqual({
      redis: { available: 2, held: 0, sold: 3 },
      postgres: { held: 0, sold: 3 },
    });
  });

  /** Creates a paid order whose units Redis has given back. */
  async function releasedThoughPaid(total: number) {
    const sale = await createSaleFixture({ total });
    const { orders, orderNos } = await order(sale);
    const [first = ''] = orderNos;
    await payFor(first);
    await releaseStock({ saleId: sale.saleId, userId: orders[0]?.userId ?? '', orderNo: first });
    return { saleId: sale.saleId, orderNo: first };
  }
  const lettersOf = async (saleId: string) =>
    (await db().deadLetter.findMany({ where: { saleId } })).map(({ consumer }) => consumer);

  async function whileLettersAreReadOnly(work: () => Promise<void>): Promise<void> {
    await db().$executeRaw`
      CREATE FUNCTION refuse_letter() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'read only'; END $$`;
    await db().$executeRaw`
      CREATE TRIGGER refuse_letter BEFORE UPDATE ON dead_letters EXECUTE FUNCTION refuse_letter()`;
    await work();
    await db().$executeRaw`DROP FUNCTION refuse_letter CASCADE`;
  }

  it('[C6 J4] a paid order that Redis has released takes its units again: Postgres is right', async () => {
    const { saleId, orderNo } = await releasedThoughPaid(50);
    const before = await readStock(saleId);
    await Promise.all([confirmPaid([{ saleId, orderNo }]), confirmPaid([{ saleId, orderNo }])]);
    const after = await readStock(saleId);
    expect(after?.available).toBe((before?.available ?? 0) - 1);
    expect(after?.sold).toBe((before?.sold ?? 0) + 1);
    expect(await lettersOf(saleId)).toEqual([]);
  });

  it('[C6 J4] a paid order that Redis does not know takes its units, too', async () => {
    const sale = await createSaleFixture({ total: 5, users: 1 });
    const { orderNos } = await order(sale);
    const [orderNo = ''] = orderNos;
    await stockRedis().del(keys.buyers(sale.saleId));
    await stockRedis().hset(keys.sale(sale.saleId), { available: 5, held: 0 });
    await payFor(orderNo);
    await confirmPaid([{ saleId: sale.saleId, orderNo }]);
    expect((await countStock(sale.saleId)).redis).toEqual({ available: 4, held: 0, sold: 1 });
    expect(await lettersOf(sale.saleId)).toEqual([]);
  });

  it('[C6 J4] nobody is told of one that only an older copy of Redis does not know: it is loaded again', async () => {
    const sale = await createSaleFixture({ total: 1 });
    const { saleId } = sale;
    const { orders, orderNos } = await order({ ...sale, userIds: sale.userIds.slice(0, 1) });
    const [orderNo = ''] = orderNos;
    await payFor(orderNo);
    // The copy is from before this purchase, when another shopper held the unit.
    const other = `token,7,1,h`;
    await stockRedis().del(keys.buyers(saleId));
    await stockRedis().hset(keys.buyers(saleId), sale.userIds[1] ?? '', other);
    await stockRedis().hset(keys.sale(saleId), 'server', 'another');
    expect(await confirmPaid([{ saleId, orderNo }])).toBe(1);
    expect(await lettersOf(saleId)).toEqual([]);
    expect(await ensureStockLoaded(saleId)).toEqual({ status: 'loaded' });
    expect(orders).toHaveLength(1);
    expect((await readBuyer(saleId, sale.userIds[0] ?? '')).map(({ state }) => state)).toEqual(['sold']);
  });

  it('[C6] one whose units Redis has sold again is put on record', async () => {
    const { saleId, orderNo } = await releasedThoughPaid(50);
    // Other shoppers buy all units that are left.
    const { available = 0 } = (await readStock(saleId)) ?? {};
    await stockRedis().hincrby(keys.sale(saleId), 'held', available);
    await stockRedis().hset(keys.sale(saleId), 'available', 0);
    await confirmPaid([{ saleId, orderNo }]);
    expect(await lettersOf(saleId)).toEqual(['settle-confirmed']);
    // Once its money goes back nothing is left to decide. If the report can't be closed just then, the sweep does it.
    const refund = { reason: 'sold twice', returnStock: true };
    await whileLettersAreReadOnly(async () => {
      await expect(refundOrder(await makeUser('admin'), orderNo, refund)).rejects.toThrow('read only');
    });
    expect((await readStates(saleId)).get(orderNo)).toMatchObject({ status: 'refunded', isSettled: false });
    await age(saleId);
    await sweep();
    expect((await readStates(saleId)).get(orderNo)?.isSettled).toBe(true);
    expect(await db().deadLetter.count({ where: { saleId, resolution: 'repaired' } })).toBe(1);
  });
});

describe('cancelOrder', () => {
  it("[C6] cancels a shopper's own unpaid order once; the unit is available at once", async () => {
    const sale = await createSaleFixture({ total: 3 });
    const { orders, orderNos } = await order(sale);
    const [first = '', second = ''] = orderNos;
    const userId = orders[0]?.userId ?? '';
    expect(await cancelOrder(strangerTo(userId), first)).toEqual({ status: 'not_found' });
    const cancelled = await cancelOrder(userId, first);
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      order: { orderNo: first, status: 'cancelled', endReason: 'cancelled_by_shopper', version: 2 },
    });
    expect(await cancelOrder(userId, first)).toEqual({ status: 'not_cancellable' });
    await payFor(second);
    expect(await cancelOrder(orders[1]?.userId ?? '', second)).toEqual({ status: 'not_cancellable' });
    expect(await countStock(sale.saleId)).toEqual({
      redis: { available: 1, held: 2, sold: 0 },
      postgres: { held: 2, sold: 0 },
    });
  });
});

describe('sweep', () => {
  it('[E7 C7] cancels what the timer missed, and nothing that is due only just now', async () => {
    const sale = await createSaleFixture();
    const { orderNos } = await order(sale);
    await makeOverdue(orderNos.slice(0, 2), 6);
    await makeOverdue(orderNos.slice(2), 1);
    expect((await sweep()).cancelled).toBe(2);
    expect((await sweep()).cancelled).toBe(0);
    expect((await countStock(sale.saleId)).redis).toEqual({ available: 9, held: 1, sold: 0 });
    await makeOverdue(orderNos.slice(2), 6);
    await sweep();
  });

  it('[E3 I9] repeats what did not reach Redis: cancelled, paid and failed orders, and dead letters', async () => {
    const sale = await createSaleFixture({ total: 10, users: 4 });
    const { orders, orderNos } = await order({ ...sale, userIds: sale.userIds.slice(0, 2) });
    const [first = '', second = ''] = orderNos;
    const [third, fourth] = [await buy(sale, sale.userIds[2] ?? ''), await buy(sale, newId('user'))];
    // As if each process had died right after its transaction.
    await db().$executeRaw`
      UPDATE orders SET status = 'cancelled', cancelled_at = now(), end_reason = 'expired' WHERE id = ${BigInt(first)}`;
    await db().$executeRaw`UPDATE sales SET held_stock = held_stock - 1 WHERE id = ${sale.saleId}`;
    await payFor(second);
    for (const failed of [third, fourth]) {
      const why = { reason: 'not_writable', error: 'test', consumer: 'create-orders' } as const;
      await db().$transaction((tx) => recordFailedOrder(tx, { saleId: sale.saleId, order: failed, ...why }));
    }
    // Nothing that other tests left counts here, and nothing grows old enough while a machine stands still.
    await db().$executeRaw`
      UPDATE orders SET stock_settled_at = now() WHERE stock_settled_at IS NULL AND sale_id <> ${sale.saleId}`;
    await db().$executeRaw`
      UPDATE orders SET updated_at = now() + interval '1 hour' WHERE sale_id = ${sale.saleId}`;
    await db().$executeRaw`UPDATE dead_letters SET created_at = now() + interval '1 hour'`;
    expect(await sweep()).toMatchObject({ settled: 0, released: 0 });
    expect((await countStock(sale.saleId)).redis).toEqual({ available: 6, held: 4, sold: 0 });

    await age(sale.saleId);
    await db().$executeRaw`UPDATE dead_letters SET created_at = now() - interval '1 minute'`;
    expect(await sweep()).toMatchObject({ settled: 3, released: 2, failedSales: [] });
    expect(await countStock(sale.saleId)).toEqual({
      redis: { available: 9, held: 0, sold: 1 },
      postgres: { held: 0, sold: 1 },
    });
    expect([...(await readStates(sale.saleId)).values()].every(({ isSettled }) => isSettled)).toBe(true);
    expect(orders).toHaveLength(2);
  });

  it('[E5] a sale whose stock is corrupt does not keep the others waiting', async () => {
    const [broken, sound] = [await createSaleFixture(), await createSaleFixture()];
    for (const sale of [broken, sound]) await makeOverdue((await order(sale)).orderNos, 60);
    await stockRedis().hset(keys.sale(broken.saleId), 'held', '0');
    const result = await sweep();
    expect(result.failedSales).toEqual([broken.saleId]);
    expect((await countStock(sound.saleId)).redis).toEqual({ available: 10, held: 0, sold: 0 });
  });

  it('[E5] nor the units of dead letters of the others, nor money that is due back', async () => {
    const [broken, sound, late] = [
      await createSaleFixture(),
      await createSaleFixture(),
      await createOrderFixture(),
    ];
    for (const sale of [broken, sound]) {
      const failed = await buy(sale, sale.userIds[0] ?? '');
      const why = { reason: 'not_writable', error: 'test', consumer: 'create-orders' } as const;
      await db().$transaction((tx) => recordFailedOrder(tx, { saleId: sale.saleId, order: failed, ...why }));
    }
    await db().$executeRaw`UPDATE dead_letters SET created_at = now() - interval '1 minute'`;
    await stockRedis().hset(keys.sale(broken.saleId), 'held', '0');
    await payFor(late.orderNo);
    await db().$executeRaw`
      UPDATE payments SET status = 'refund_due', updated_at = now() - interval '2 minutes' WHERE id = ${late.paymentId}`;
    expect(await sweep()).toMatchObject({ failedSales: [broken.saleId], refunded: 1 });
    expect((await countStock(sound.saleId)).redis).toEqual({ available: 10, held: 0, sold: 0 });
  });
});
