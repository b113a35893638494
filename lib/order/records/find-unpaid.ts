import 'server-only';
import { db } from '@/lib/db/client';
import { LOAD_USER } from '@/lib/ids/load-user';

export type UnpaidOrder = { orderNo: string; saleId: string; userId: string; cancelledAt: number };

/**
 * Finds orders that ended unpaid, in the order in which they ended: those that ran out of time and those that the
 * shopper cancelled. Leaves out the orders of load-test users.
 * @param after only later ones; of the same moment (epoch ms) those with a higher number. @param limit at most so
 *   many
 */
export async function findUnpaid(
  after: { cancelledAt: number; orderNo: string },
  limit: number,
): Promise<UnpaidOrder[]> {
  const rows = await db().$queryRaw<(Omit<UnpaidOrder, 'cancelledAt'> & { cancelledAt: Date })[]>`
    SELECT id::text AS "orderNo", sale_id AS "saleId", user_id AS "userId", cancelled_at AS "cancelledAt" FROM orders
    WHERE status = 'cancelled' AND end_reason IN ('expired', 'cancelled_by_shopper')
      AND NOT starts_with(user_id, ${LOAD_USER})
      AND (cancelled_at, id) > (${new Date(after.cancelledAt)}, ${BigInt(after.orderNo)})
    ORDER BY cancelled_at, id LIMIT ${limit}`;
  return rows.map((row) => ({ ...row, cancelledAt: row.cancelledAt.getTime() }));
}
