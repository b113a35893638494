import 'server-only';
import type { Db } from '@/lib/db/client';

/** Places in one statement. */
const AT_ONCE = 500;

/**
 * Notes in Postgres which places have got their unit, once the order is there. Each is returned by one call only.
 * @param before only places with lower numbers: of those who wait nobody has got one. Null: nobody waits
 * @returns the orders, and whether each was won in a draw: its shopper was not told to wait before. Fewer than 500: there are
 *   no more. @throws connection errors
 */
export function noteGiven(
  tx: Db,
  saleId: string,
  before: number | null,
): Promise<{ orderNo: string; isWon: boolean }[]> {
  return tx.$queryRaw`
    WITH due AS (
      SELECT w.number FROM waitlist_entries w
      JOIN orders o ON o.shard = (w.order_no & 1023)::smallint AND o.id = w.order_no
      WHERE w.sale_id = ${saleId} AND w.left_at IS NULL AND w.given_at IS NULL AND w.passed_at IS NULL
        AND (${before}::bigint IS NULL OR w.number < ${before}::bigint)
      ORDER BY w.number LIMIT ${AT_ONCE} FOR UPDATE OF w SKIP LOCKED
    )
    UPDATE waitlist_entries w SET given_at = now() FROM due
    WHERE w.sale_id = ${saleId} AND w.number = due.number
    RETURNING w.order_no::text AS "orderNo",
              w.jti LIKE 'draw\\_%' AND NOT EXISTS (
                SELECT FROM notifications n
                WHERE n.message_id = 'draw_waiting-' || w.sale_id || '-' || w.user_id) AS "isWon"`;
}
