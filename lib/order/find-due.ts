import 'server-only';
import { db } from '@/lib/db/client';

/** Finds up to `limit` orders of a sale that are unpaid and due by now, the oldest deadline first. Postgres keeps the plan (migration 0030). */
export async function findDue(saleId: string, limit: number): Promise<string[]> {
  const rows = await db().$queryRaw<{ orderNo: string }[]>`
    SELECT id::text AS "orderNo" FROM due_orders(${saleId}, ${limit}::int)`;
  return rows.map(({ orderNo }) => orderNo);
}
