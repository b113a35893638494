import 'server-only';
import { db } from '@/lib/db/client';

/**
 * Finds up to `limit` orders of the given sales that are unpaid and due by now, the oldest deadline first. Postgres
 * keeps the plan (migration 0032).
 */
export async function findDue(saleIds: readonly string[], limit: number): Promise<string[]> {
  const rows = await db().$queryRaw<{ orderNo: string }[]>`
    SELECT id::text AS "orderNo" FROM due_orders(${[...saleIds]}::text[], ${limit}::int)`;
  return rows.map(({ orderNo }) => orderNo);
}
