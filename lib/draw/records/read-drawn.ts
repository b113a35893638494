import 'server-only';
import { db } from '@/lib/db/client';

type DrawnPerson = { place: number; number: number; userId: string; variant: number; orderNo: string | null };

/** Reads those who were drawn, not passed over and have not left, in order of their places. @param after the last place read; −1: none */
export const readDrawn = (saleId: string, after: number, most: number): Promise<DrawnPerson[]> =>
  db().$queryRaw`
    SELECT place, number, user_id AS "userId", variant, order_no::text AS "orderNo" FROM line_entries
    WHERE sale_id = ${saleId} AND place > ${after} AND passed_over IS NULL AND left_at IS NULL ORDER BY place LIMIT ${most}`;

/**
 * Writes down which order each entry may become, unless that is written already: of two workers with the same entries both
 * go on with the same orders.
 * @returns the order of each number. @throws connection errors
 */
export async function fixOrders(
  saleId: string,
  orders: readonly { number: number; orderNo: string }[],
): Promise<Map<number, string>> {
  const rows = await db().$queryRaw<{ number: number; orderNo: string }[]>`
    UPDATE line_entries e SET order_no = coalesce(e.order_no, o.order_no)
    FROM unnest(${orders.map(({ number }) => number)}::int[],
                ${orders.map(({ orderNo }) => orderNo)}::text[]::bigint[]) AS o (number, order_no)
    WHERE e.sale_id = ${saleId} AND e.number = o.number
    RETURNING e.number, e.order_no::text AS "orderNo"`;
  return new Map(rows.map(({ number, orderNo }) => [number, orderNo]));
}
