import { afterAll, describe, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { sqlState } from '@/lib/db/sql-state';
import { transaction } from '@/lib/db/transaction';
import { buyForAll, createSaleFixture, forge } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { createOrders } from '@/lib/settlement/create-orders';

afterAll(async () => {
  await closeRedis();
  await closeDb();
});

/** Waits until a connection of this database waits for a lock. */
const waitsForLock = () =>
  expect
    .poll(async () => {
      const [row] = await db().$queryRaw<{ waiting: number }[]>`
        SELECT count(*)::int AS waiting FROM pg_locks
        WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
      return row?.waiting;
    })
    .toBeGreaterThan(0);

describe('payments and their orders', () => {
  const orphan = (orderNo: bigint) => db().$executeRaw`
    INSERT INTO payments (id, shard, order_id, provider, amount_minor, currency)
    VALUES (${`pay_${orderNo}`}, ${Number(orderNo & 1023n)}::smallint, ${orderNo}, 'sandbox', 1, 'EUR')`;
  const remove = (orderNo: bigint) => db().$executeRaw`DELETE FROM orders WHERE id = ${orderNo}`;
  const foreignKeyViolation = '23503';
  const stateOfFailure = (work: Promise<unknown>) => work.then(() => 'none', sqlState);

  it('[I4] a payment without an order is refused, as by a foreign key, and with it its whole batch', async () => {
    const sale = await createSaleFixture();
    const [order] = await buyForAll(sale, 1);
    await createOrders({ saleId: sale.saleId, orders: order ? [order] : [] });
    const { orderNo } = forge(sale, sale.userIds[1] ?? '');
    expect(await stateOfFailure(orphan(BigInt(orderNo)))).toBe(foreignKeyViolation);
    const payment = { orderId: BigInt(order?.orderNo ?? 0) };
    expect(await db().payment.count({ where: { orderId: BigInt(orderNo) } })).toBe(0);
    for (const [what, work] of [
      ['an order with a payment', remove(payment.orderId)],
      ['the number', db().$executeRaw`UPDATE orders SET id = id + 1024 WHERE id = ${payment.orderId}`],
      ['its payment', db().$executeRaw`UPDATE payments SET order_id = 1 WHERE order_id = ${payment.orderId}`],
    ] as const) {
      expect([what, await stateOfFailure(work)]).toEqual([what, foreignKeyViolation]);
    }
    await db().payment.deleteMany({ where: payment });
    expect(await remove(payment.orderId)).toBe(1);
  });

  it('[I4] an order is not deleted while its payment is being written, and not paid for while being deleted', async () => {
    const sale = await createSaleFixture();
    const orders = await buyForAll(sale, 2);
    await createOrders({ saleId: sale.saleId, orders });
    const [kept = 0n, gone = 0n] = orders.map(({ orderNo }) => BigInt(orderNo));
    await db().payment.deleteMany({ where: { orderId: { in: [kept, gone] } } });
    const meanwhile: Promise<unknown>[] = [];
    await transaction(async (tx) => {
      await tx.$executeRaw`
        INSERT INTO payments (id, shard, order_id, provider, amount_minor, currency)
        VALUES (${`pay_${kept}`}, ${Number(kept & 1023n)}::smallint, ${kept}, 'sandbox', 1, 'EUR')`;
      meanwhile.push(stateOfFailure(remove(kept)));
      await waitsForLock();
    });
    await transaction(async (tx) => {
      await tx.$executeRaw`DELETE FROM orders WHERE id = ${gone}`;
      meanwhile.push(stateOfFailure(orphan(gone)));
      await waitsForLock();
    });
    expect(await Promise.all(meanwhile)).toEqual([foreignKeyViolation, foreignKeyViolation]);
  });
});
