import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { newId } from '@/lib/ids/new-id';
import { markProcessed } from '@/lib/outbox/mark-processed';
import { createOrderFixture } from '@/lib/purchase/testing/order-fixture';
import { payFor } from '@/lib/purchase/testing/pay-for';
import { createSaleFixture, forge } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { compensateOrders } from '@/lib/settlement/compensate-orders';
import { confirmPaid } from '@/lib/settlement/confirm-paid';
import { eventually } from '@/test/support/eventually';
import { pruneMarks } from './prune-marks';

process.env.KEEP_MARKS_DAYS = '10';

afterAll(async () => {
  await closeRedis();
  await closeDb();
});
beforeEach(async () => {
  await db().$executeRaw`TRUNCATE processed_messages`;
});

const age = (days: number, messageIds: readonly string[]) => db().$executeRaw`
  UPDATE processed_messages SET processed_at = now() - make_interval(days => ${days}::int)
  WHERE message_id = ANY (${[...messageIds]}::text[])`;
const marks = async (): Promise<string[]> => {
  const rows = await db().processedMessage.findMany({ orderBy: [{ consumer: 'asc' }, { messageId: 'asc' }] });
  return rows.map(({ consumer, messageId }) => `${consumer} ${messageId}`);
};
/** Writes marks of a consumer without orders, `days` old, under numbers of October 2026. */
const plant = (consumer: string, count: number, days: number) => db().$executeRaw`
  INSERT INTO processed_messages (consumer, message_id, processed_at)
  SELECT ${consumer}, (100000000000000000 + n)::text, now() - make_interval(days => ${days}::int, secs => n / 1000.0)
  FROM generate_series(1, ${count}::int) AS n`;

describe('pruneMarks', () => {
  it('[E9] deletes old marks of orders that say the same themselves, and no others', async () => {
    const [open, paid, young, unsettled] = [
      await createOrderFixture(),
      await createOrderFixture(),
      await createOrderFixture(),
      await createOrderFixture(),
    ];
    for (const order of [paid, young, unsettled]) {
      await payFor(order.orderNo);
      await confirmPaid([order]);
    }
    await db().$executeRaw`
      UPDATE orders SET stock_settled_at = NULL WHERE id = ${BigInt(unsettled.orderNo)}`;
    // Nothing but its mark and its letter says that this purchase was given up: its buyer's account is gone.
    const sale = await createSaleFixture();
    const ghost = forge(sale, newId('user'));
    await compensateOrders({ saleId: sale.saleId, orders: [ghost] }, 'no such buyer');
    await transaction((tx) => markProcessed(tx, 'admin-restock', ['change']));
    await age(11, [open, paid, unsettled, ghost].map(({ orderNo }) => orderNo).concat('change'));
    await age(9, [young.orderNo]);

    expect(await pruneMarks()).toBe(5);
    expect(await marks()).toEqual(
      [
        `confirm-paid ${young.orderNo}`,
        `confirm-paid ${unsettled.orderNo}`,
        `create-orders ${young.orderNo}`,
        `create-orders ${ghost.orderNo}`,
      ].sort(),
    );
    expect(await pruneMarks()).toBe(0);
  });

  it('[E9] goes on past marks that have to stay, in batches', async () => {
    await plant('confirm-paid', 5_500, 30);
    await plant('test', 12_000, 20);
    expect(await pruneMarks()).toBe(12_000);
    expect((await marks()).length).toBe(5_500);
  });

  it('[E9] waits for nobody', async () => {
    await plant('test', 3, 20);
    let leave = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    let deleted = -1;
    const busy = transaction(async (tx) => {
      await tx.$queryRaw`SELECT FROM processed_messages WHERE message_id = '100000000000000002' FOR UPDATE`;
      deleted = await pruneMarks();
      leave();
      await left;
    });
    await busy;
    expect(deleted).toBe(2);
    expect(await pruneMarks()).toBe(1);
  });

  it('[E9] finds old marks by their index, however many young ones there are', async () => {
    await plant('test', 50_000, 1);
    await plant('old', 6_000, 20);
    await db().$executeRaw`ANALYZE processed_messages`;
    const scans = async () => {
      const [row] = await db().$queryRaw<{ whole: bigint; byTime: bigint }[]>`
        SELECT t.seq_scan AS whole, i.idx_scan AS "byTime"
        FROM pg_stat_user_tables t JOIN pg_stat_user_indexes i USING (relid)
        WHERE i.indexrelname = 'processed_messages_rest_processed_at_idx'`;
      return row ?? { whole: 0n, byTime: 0n };
    };
    // Connections tell their figures when they end, or within ten seconds of coming to rest.
    await closeDb();
    await expect
      .poll(async () => {
        const [row] = await db().$queryRaw<{ others: number }[]>`
          SELECT count(*)::int AS others FROM pg_stat_activity
          WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`;
        return row?.others;
      })
      .toBe(0);
    const before = await scans();
    expect(await pruneMarks()).toBe(6_000);
    await eventually(async () => expect((await scans()).byTime).toBeGreaterThan(before.byTime), 500);
    expect((await scans()).whole).toBe(before.whole);
  });
});
