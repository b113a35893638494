import 'server-only';
import { db } from '@/lib/db/client';
import type { StockOrder } from './types';

/**
 * Cancels those of the given orders, of any sales, that are unpaid after their deadline, and counts their units as
 * available. Locks rows in the order of order numbers, then of sales, so that two calls can't deadlock. One statement,
 * like `writeOrders`; its larger part is the function `expire_due_orders`, which keeps its plan (migration 0071).
 * @returns the orders cancelled.
 * @throws a data error if a sale has fewer units held: that is a bug, and must not be rounded off.
 */
export async function expireOrders(orderNos: readonly string[]): Promise<StockOrder[]> {
  const rows = await db().$queryRaw<{ id: string; sale_id: string; user_id: string }[]>`
    WITH expired AS (
      SELECT order_id, of_sale, buyer, units, of_variant FROM expire_due_orders(${[...orderNos]}::text[]::bigint[])
    ), per_sale AS (
      SELECT of_sale, sum(units)::int AS units FROM expired GROUP BY of_sale
    ), locked AS (
      SELECT id FROM sales WHERE id IN (SELECT of_sale FROM per_sale) ORDER BY id FOR NO KEY UPDATE
    ), counted AS (
      UPDATE sales s SET held_stock = held_stock - p.units
      FROM locked JOIN per_sale p ON p.of_sale = locked.id
      WHERE s.id = locked.id
      RETURNING s.id
    ), per_variant AS (
      SELECT of_sale, of_variant, sum(units)::int AS units FROM expired WHERE of_variant > 0 GROUP BY of_sale, of_variant
    ), counted_variants AS (
      UPDATE sale_variants v SET held = held - p.units
      FROM counted JOIN per_variant p ON p.of_sale = counted.id
      WHERE v.sale_id = p.of_sale AND v.number = p.of_variant
    )
    SELECT order_id::text AS id, of_sale AS sale_id, buyer AS user_id FROM expired`;
  return rows.map(({ id, sale_id, user_id }) => ({ orderNo: id, saleId: sale_id, userId: user_id }));
}
