import 'server-only';
import { db } from '@/lib/db/client';

/** Finds up to `limit` orders of a sale that are unpaid and due by now, the oldest deadline first. */
export async function findDue(saleId: string, limit: number): Promise<string[]> {
  const rows = await db().$queryRaw<{ orderNo: string }[]>`
    SELECT id::text AS "orderNo" FROM orders
    WHERE status = 'pending_payment' AND pay_by <= now() AND sale_id = ${saleId}
    ORDER BY pay_by LIMIT ${limit}`;
  return rows.map(({ orderNo }) => orderNo);
}
