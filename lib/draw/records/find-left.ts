import 'server-only';
import { db } from '@/lib/db/client';

/** Finds who has left the draw from which an order number comes. @returns the ids of the users. @throws connection errors */
export async function findLeft(
  saleId: string,
  people: readonly { userId: string; orderNo: string }[],
): Promise<Set<string>> {
  const rows = await db().$queryRaw<{ user_id: string }[]>`
    SELECT e.user_id FROM line_entries e
    JOIN unnest(${people.map(({ userId }) => userId)}::text[], ${people.map(({ orderNo }) => orderNo)}::text[]::bigint[])
      AS due (user_id, order_no) ON due.user_id = e.user_id AND due.order_no = e.order_no
    WHERE e.sale_id = ${saleId} AND e.left_at IS NOT NULL`;
  return new Set(rows.map(({ user_id }) => user_id));
}
