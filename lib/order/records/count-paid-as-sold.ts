import 'server-only';
import { db } from '@/lib/db/client';
import { CONFIRM_PAID } from './consumer-names';
import type { StockOrder } from './types';

/**
 * Counts the held units of a sale's paid orders as sold, each once: a settled order has been counted, even where its
 * message's mark is gone (`pruneMarks`). Leaves out orders that are not paid. One
 * statement, so that the sale's row is not held while anybody waits; see `writeOrders`.
 * @returns the paid ones, and how many of them this call counted.
 * @throws a data error if fewer units are held: that is a bug, and must not be rounded off.
 */
export async function countPaidAsSold(
  saleId: string,
  orderNos: readonly string[],
): Promise<{ orders: StockOrder[]; counted: number }> {
  const rows = await db().$queryRaw<{ id: string; user_id: string; is_fresh: boolean }[]>`
    WITH paid AS (
      SELECT o.id, o.user_id, o.quantity, o.variant, o.stock_settled_at IS NOT NULL AS is_settled
      FROM orders_numbered(${[...orderNos]}::text[]::bigint[]) o
      WHERE o.sale_id = ${saleId} AND o.status = 'paid'
      ORDER BY o.id
    ), fresh AS (
      INSERT INTO processed_messages (consumer, message_id) SELECT ${CONFIRM_PAID}, id::text FROM paid WHERE NOT is_settled
      ON CONFLICT DO NOTHING
      RETURNING message_id
    ), newly AS (
      SELECT coalesce(sum(quantity), 0)::int AS units FROM paid WHERE id::text IN (SELECT message_id FROM fresh)
    ), counted AS (
      UPDATE sales
      SET held_stock = held_stock - (SELECT units FROM newly), sold_stock = sold_stock + (SELECT units FROM newly)
      WHERE id = ${saleId} AND (SELECT units FROM newly) > 0
      RETURNING id
    ), per_variant AS (
      SELECT variant, sum(quantity)::int AS units
      FROM paid
      WHERE variant > 0 AND id::text IN (SELECT message_id FROM fresh)
      GROUP BY variant
    ), counted_variants AS (
      UPDATE sale_variants v SET held = held - p.units, sold = sold + p.units
      FROM counted CROSS JOIN per_variant p
      WHERE v.sale_id = counted.id AND v.number = p.variant
    )
    SELECT id::text, user_id, id::text IN (SELECT message_id FROM fresh) AS is_fresh FROM paid`;
  return {
    orders: rows.map(({ id, user_id }) => ({ orderNo: id, saleId, userId: user_id })),
    counted: rows.filter((row) => row.is_fresh).length,
  };
}
