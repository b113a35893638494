import 'server-only';
import type { Db } from '@/lib/db/client';

type Row = { number: bigint; userId: string; jti: string; orderNo: string };

/**
 * Reads who waits, as Postgres knows it, in turn: the latest place of each user, unless it was left, or its purchase is an
 * order or was given up.
 * @param after only places with higher numbers. @throws connection errors
 */
export function readWaiting(tx: Db, saleId: string, after: bigint, most: number): Promise<Row[]> {
  return tx.$queryRaw`
    SELECT w.number, w.user_id AS "userId", w.jti, w.order_no::text AS "orderNo" FROM waitlist_entries w
    WHERE w.sale_id = ${saleId} AND w.number > ${after} AND w.left_at IS NULL AND w.given_at IS NULL AND w.passed_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.shard = (w.order_no & 1023)::smallint AND o.id = w.order_no)
      AND NOT EXISTS (SELECT 1 FROM dead_letters d WHERE d.sale_id = w.sale_id AND d.order_no = w.order_no)
      AND NOT EXISTS (SELECT 1 FROM waitlist_entries later
                      WHERE later.user_id = w.user_id AND later.sale_id = w.sale_id AND later.number > w.number)
    ORDER BY w.number LIMIT ${most}`;
}

/** Reads the highest number that a place of a sale ever had; 0: none. @throws connection errors */
export async function readLastPlace(tx: Db, saleId: string): Promise<number> {
  const [highest] = await tx.$queryRaw<{ number: bigint | null }[]>`
    SELECT max(number) AS number FROM waitlist_entries WHERE sale_id = ${saleId}`;
  return Number(highest?.number ?? 0);
}
