import { afterAll, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';

afterAll(closeDb);

/** Counts how often this transaction has read a whole partition of the orders. */
const WHOLE_READS = `
  SELECT coalesce(sum(seq_scan), 0)::int AS count FROM pg_stat_xact_user_tables WHERE relname LIKE 'orders\\_p%'`;

it('[E1] a plan that is kept probes indexes, also if it was made when the table was small', async () => {
  await db().$executeRaw`ANALYZE orders`;
  const calls = [
    `SELECT count(*) FROM orders_numbered('{1024, 1025}')`,
    `SELECT count(*) FROM due_orders('{sale_1, sale_2}'::text[], 10)`,
    `SELECT count(*) FROM expire_orders('{1024, 1025}')`,
    `SELECT settle_orders('{1024, 1025}', '{paid}')::text`,
  ];
  for (const call of calls) {
    const count = await transaction(async (tx) => {
      await tx.$queryRawUnsafe(call);
      return (await tx.$queryRawUnsafe<{ count: number }[]>(WHOLE_READS))[0]?.count;
    });
    expect(count, call).toBe(0);
  }
});
