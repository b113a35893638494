import 'server-only';
import { db } from '@/lib/db/client';
import { keepCounts } from '@/lib/db/keep-counts';

/** Counting fewer takes some ms; a million take a second. */
const MANY = 10_000;

/** How many orders of a sale have a status, for one reason. */
export type OrderCount = { status: string; endReason: string | null; count: number };

const counts = keepCounts<OrderCount[]>(
  [],
  (groups) => groups.reduce((sum, one) => sum + one.count, 0) > MANY,
);

/**
 * Counts a sale's orders by status; of a sale with more than 10,000 as `keepCounts` does.
 * @throws connection errors, where there are no earlier numbers
 */
export const countOrders = (
  saleId: string,
  count: (saleId: string) => Promise<OrderCount[]> = countNow,
): Promise<OrderCount[]> => counts(saleId, () => count(saleId));

const countNow = (saleId: string): Promise<OrderCount[]> =>
  db().$queryRaw<OrderCount[]>`
    SELECT status, end_reason AS "endReason", count(*)::int AS count FROM orders
    WHERE sale_id = ${saleId} GROUP BY status, end_reason`;
