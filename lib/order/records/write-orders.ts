import 'server-only';
import { db } from '@/lib/db/client';
import { saleIdsOf } from '@/lib/ids/sale-ids-of';
import { Prisma } from '@/prisma/generated/client';
import { CREATE_ORDERS } from './consumer-names';
import { insertSql, type SaleOrder } from './insert-sql';
import type { Takers } from './taker-sql';

const FRESH = Prisma.sql`i.id IN (SELECT message_id::bigint FROM fresh)`;

type WrittenOrders = {
  /** How many of the orders this call wrote; the others had been written, or given up, before. */
  count: number;
  /** The latest deadline among those of each sale, epoch ms. */
  deadlines: Map<string, number>;
};

/**
 * Writes orders that were not written before: marks their messages as processed, inserts them with their payments
 * (`insertSql`), and counts their units as held. One statement, all or nothing: as a transaction of four it held the
 * sale's row until this busy process reached its COMMIT, up to half a second later, and all other batches waited.
 * @param orders of one or several sales, sorted by number.
 * @throws a data error (`isDataError`) if one of them breaks a unique index, its buyer or sale doesn't exist, an
 *   amount is out of range, or a sale has too few units: then nothing has changed.
 */
export async function writeOrders(orders: readonly SaleOrder[], takers: Takers): Promise<WrittenOrders> {
  // Two errors undo everything: a check (`…_committed_stock_check`) if the units don't fit, and a division by zero if an
  // order was left out: by a unique index, or because there is no such sale or variant. The rows of the sales are
  // locked in their order, or two calls could wait for each other.
  const [written] = await db().$queryRaw<{ count: number; deadlines: Record<string, number> | null }[]>`
    WITH fresh AS (
      INSERT INTO processed_messages (consumer, message_id)
      SELECT ${CREATE_ORDERS}, message_id FROM unnest(${orders.map(({ orderNo }) => orderNo)}::text[]) AS i (message_id)
      ON CONFLICT DO NOTHING
      RETURNING message_id
    ), ${insertSql(orders, takers, FRESH)}, per_sale AS (
      SELECT sale_id, sum(quantity)::int AS units, max(accepted_at) AS accepted_at, max(pay_by) AS pay_by
      FROM written
      GROUP BY sale_id
    ), locked AS (
      SELECT id FROM sales WHERE id IN (SELECT sale_id FROM per_sale) ORDER BY id FOR NO KEY UPDATE
    ), counted AS (
      UPDATE sales s
      SET held_stock = held_stock + p.units, sold_out_at = greatest(sold_out_at, p.accepted_at)
      FROM locked JOIN per_sale p ON p.sale_id = locked.id
      WHERE s.id = locked.id
      RETURNING s.id
    ), per_variant AS (
      SELECT sale_id, variant, sum(quantity)::int AS units
      FROM written
      WHERE variant > 0 OR sale_id IN (SELECT sale_id FROM sale_variants WHERE sale_id = ANY (${saleIdsOf(orders)}::text[]))
      GROUP BY sale_id, variant
    ), counted_variants AS (
      UPDATE sale_variants v
      SET held = held + p.units
      FROM counted JOIN per_variant p ON p.sale_id = counted.id
      WHERE v.sale_id = p.sale_id AND v.number = p.variant
      RETURNING 1
    )
    SELECT count(*)::int AS count,
           (SELECT json_object_agg(sale_id, ceil(extract(epoch FROM pay_by) * 1000)) FROM per_sale) AS deadlines,
           1 / (count(*) = (SELECT count(*) FROM fresh)
                AND (SELECT count(*) FROM per_variant) = (SELECT count(*) FROM counted_variants))::int AS is_complete
    FROM written`;
  return { count: written?.count ?? 0, deadlines: new Map(Object.entries(written?.deadlines ?? {})) };
}
