import 'server-only';
import { db } from '@/lib/db/client';
import type { StockOrder } from './types';

/**
 * Cancels a sale's given orders that are unpaid after their deadline, records it, and counts their units as
 * available; leaves the others as they are. Locks rows in the order of their numbers, so that two of these calls can't
 * deadlock. One statement, so that the sale's row is not held while anybody waits; see `writeOrders`. Its larger part is
 * the function `expire_orders` in Postgres, which keeps its plan (migration 0030).
 * @returns the orders cancelled.
 * @throws a data error if the sale has fewer units held: that is a bug, and must not be rounded off.
 */
export async function expireOrders(saleId: string, orderNos: readonly string[]): Promise<StockOrder[]> {
  const rows = await db().$queryRaw<{ id: string; user_id: string }[]>`
    WITH expired AS (
      SELECT order_id, user_id, units FROM expire_orders(${saleId}, ${[...orderNos]}::text[]::bigint[])
    ), counted AS (
      UPDATE sales SET held_stock = held_stock - (SELECT sum(units) FROM expired)::int
      WHERE id = ${saleId} AND EXISTS (SELECT FROM expired)
    )
    SELECT order_id::text AS id, user_id FROM expired`;
  return rows.map(({ id, user_id }) => ({ orderNo: id, saleId, userId: user_id }));
}
