import 'server-only';
import { db } from '@/lib/db/client';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import { Prisma } from '@/prisma/generated/client';
import { CREATE_ORDERS } from './consumers';
import { insertSql } from './insert-sql';

const FRESH = Prisma.sql`i.id IN (SELECT message_id::bigint FROM fresh)`;

type WrittenOrders = {
  /** How many of the orders this call wrote; the others had been written, or given up, before. */
  count: number;
  /** Epoch ms of the latest deadline among those; 0 without any. */
  deadlineAt: number;
};

/**
 * Writes a sale's orders that were not written before: marks their messages as processed, inserts them with their
 * payments (`insertSql`), and counts their units as held. One statement, all or nothing: while it has the sale's row,
 * the busiest of all, it waits for nobody. As a transaction of four statements it held that row until this process,
 * busy with other things, came round to its COMMIT, up to half a second later, and all other batches of the sale
 * waited.
 * @param orders of one sale, sorted by number.
 * @throws a data error (`isDataError`) if one of them breaks a unique index, its buyer or sale doesn't exist, an
 *   amount is out of range, or the sale has too few units: then nothing has changed.
 */
export async function writeOrders(
  saleId: string,
  orders: readonly AcceptedOrder[],
  provider: string,
): Promise<WrittenOrders> {
  const takenAt = Math.max(...orders.map(({ acceptedAt }) => acceptedAt));
  // Two errors undo everything: `sales_committed_stock_check` if the units don't fit, and a division by zero if an
  // order was left out, because of a unique index or because there is no such sale.
  const [written] = await db().$queryRaw<{ count: number; pay_by: Date | null }[]>`
    WITH fresh AS (
      INSERT INTO processed_messages (consumer, message_id)
      SELECT ${CREATE_ORDERS}, message_id FROM unnest(${orders.map(({ orderNo }) => orderNo)}::text[]) AS i (message_id)
      ON CONFLICT DO NOTHING
      RETURNING message_id
    ), ${insertSql(saleId, orders, provider, FRESH)}, counted AS (
      UPDATE sales
      SET held_stock = held_stock + (SELECT sum(quantity) FROM written)::int,
          sold_out_at = greatest(sold_out_at, to_timestamp(${takenAt}::double precision / 1000))
      WHERE id = ${saleId} AND EXISTS (SELECT FROM written)
    )
    SELECT count(*)::int AS count, max(pay_by) AS pay_by,
           1 / (count(*) = (SELECT count(*) FROM fresh))::int AS is_complete
    FROM written`;
  return { count: written?.count ?? 0, deadlineAt: written?.pay_by?.getTime() ?? 0 };
}
