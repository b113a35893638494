import pg from 'pg';
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
import { addWeeksOfMarks, dropWeeksOfMarks } from './weeks-of-marks';

const DAY_MS = 86_400_000;

afterAll(async () => {
  await closeRedis();
  await closeDb();
});
beforeEach(async () => {
  await db().$executeRaw`TRUNCATE processed_messages`;
});

/** Which marks lie where: a week's first day, or `rest`. */
async function marks(): Promise<string[]> {
  const rows = await db().$queryRaw<{ mark: string }[]>`
    SELECT replace(tableoid::regclass::text, 'processed_messages_', '') || ' ' || consumer || ' ' || message_id AS mark
    FROM processed_messages ORDER BY 1`;
  return rows.map(({ mark }) => mark);
}
const weeks = async (): Promise<string[]> => {
  const rows = await db().$queryRaw<{ week: string }[]>`
    SELECT right(c.relname, 8) AS week FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'processed_messages'::regclass AND c.relname <> 'processed_messages_rest' ORDER BY 1`;
  return rows.map(({ week }) => week);
};
/** Makes the present week a partition, which in operation it has been for weeks. */
async function makeThisWeek(): Promise<string> {
  const [row] = await db().$queryRaw<{ week: string }[]>`
    SELECT to_char(week_of_marks(now()), 'YYYYMMDD') AS week FROM add_week_of_marks(week_of_marks(now()))`;
  return row?.week ?? '';
}
/** Has nine days pass: then the present week is over. */
const NINE_DAYS_ON = -9;

describe('weeks of marks', () => {
  it('[K2 E9] are made ahead, and marks of a week that nobody made lie in the rest', async () => {
    // A week may have begun since the migrations made theirs.
    await addWeeksOfMarks();
    const before = await weeks();
    expect(before.length).toBeGreaterThanOrEqual(8);
    expect(await addWeeksOfMarks()).toBe(0);
    expect(await addWeeksOfMarks(Date.now() + 14 * DAY_MS)).toBe(2);
    const after = await weeks();
    expect(after).toHaveLength(before.length + 2);
    expect(after.slice(0, before.length)).toEqual(before);
    const order = await createOrderFixture();
    expect(await marks()).toEqual([`rest create-orders ${order.orderNo}`]);
    // They move to their week where it is made later.
    const week = await makeThisWeek();
    expect(await marks()).toEqual([`${week} create-orders ${order.orderNo}`]);
    await expect(db().$queryRaw`SELECT add_week_of_marks('2026-12-04')`).rejects.toThrow('no week');
  });

  it('[K2 E9 E4] go whole once they are old, except for the marks that are still needed', async () => {
    const week = await makeThisWeek();
    await createOrderFixture();
    const [paid, unsettled] = [await createOrderFixture(), await createOrderFixture()];
    for (const order of [paid, unsettled]) {
      await payFor(order.orderNo);
      await confirmPaid([order]);
    }
    await db().$executeRaw`UPDATE orders SET stock_settled_at = NULL WHERE id = ${BigInt(unsettled.orderNo)}`;
    // Nothing but its mark and its letter says that this purchase was given up: its buyer's account is gone.
    const sale = await createSaleFixture();
    const ghost = forge(sale, newId('user'));
    await compensateOrders({ saleId: sale.saleId, orders: [ghost] }, 'no such buyer');
    await transaction((tx) => markProcessed(tx, 'admin-restock', ['change']));
    expect((await marks()).filter((mark) => mark.startsWith(week))).toHaveLength(6);

    // Not before the week and its marks are that old.
    expect(await dropWeeksOfMarks(1)).toBe(0);
    expect(await dropWeeksOfMarks(NINE_DAYS_ON)).toBe(4);
    expect(await weeks()).not.toContain(week);
    const kept = [
      `rest admin-restock change`,
      `rest confirm-paid ${unsettled.orderNo}`,
      `rest create-orders ${ghost.orderNo}`,
    ];
    expect(await marks()).toEqual(kept.sort());
    expect(await dropWeeksOfMarks(NINE_DAYS_ON)).toBe(0);
    // A mark that is there once more counts: the message is not processed again.
    expect(await transaction((tx) => markProcessed(tx, 'create-orders', [ghost.orderNo]))).toEqual(new Set());
  });

  it('[K2 E9] wait for nobody, and keep nobody waiting', async () => {
    const week = await makeThisWeek();
    await createOrderFixture();
    const reader = new pg.Client({ connectionString: process.env.DATABASE_URL });
    await reader.connect();
    try {
      await reader.query('BEGIN; SELECT count(*) FROM processed_messages');
      const [dropped, added] = await Promise.all([
        dropWeeksOfMarks(NINE_DAYS_ON),
        addWeeksOfMarks(Date.now() + 28 * DAY_MS),
        transaction((tx) => markProcessed(tx, 'test', ['mark'])),
      ]);
      // All of them ended while the reader's transaction was open.
      expect([dropped, added]).toEqual([0, 0]);
      expect(await weeks()).toContain(week);
      await reader.query('COMMIT');
      // Nor beside a backup or a migration.
      await reader.query('BEGIN; SELECT pg_advisory_xact_lock_shared(5318008211)');
      expect(await dropWeeksOfMarks(NINE_DAYS_ON)).toBe(0);
      await reader.query('COMMIT');
    } finally {
      await reader.end();
    }
    expect(await dropWeeksOfMarks(NINE_DAYS_ON)).toBeGreaterThan(0);
    expect(await marks()).toEqual(['rest test mark']);
  });
});
