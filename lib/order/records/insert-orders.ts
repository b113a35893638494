import 'server-only';
import type { Db } from '@/lib/db/client';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import { insertSql } from './insert-sql';
import type { Takers } from './taker-sql';

/**
 * Writes orders, each with its payment (`insertSql`), in a transaction that does more. One statement and one row in
 * return: five hundred rows would cost the process more than everything else here.
 * @param orders of one sale, sorted by number.
 * @returns how many were written, their units, and when the last of them is due (epoch ms).
 * @throws if the buyer doesn't exist or an amount is out of range.
 */
export async function insertOrders(
  tx: Db,
  saleId: string,
  orders: readonly AcceptedOrder[],
  takers: Takers,
): Promise<{ count: number; units: number; deadlineAt: number }> {
  const [written] = await tx.$queryRaw<{ count: number; units: number; pay_by: Date | null }[]>`
    WITH ${insertSql(
      orders.map((order) => ({ ...order, saleId })),
      takers,
    )}
    SELECT count(*)::int AS count, coalesce(sum(quantity), 0)::int AS units, max(pay_by) AS pay_by FROM written`;
  return {
    count: written?.count ?? 0,
    units: written?.units ?? 0,
    deadlineAt: written?.pay_by?.getTime() ?? 0,
  };
}
