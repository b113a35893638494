import 'server-only';
import { db } from '@/lib/db/client';

/**
 * Gives up a place; again changes nothing.
 * @returns when it was left, epoch ms; null if there never was one
 * @throws connection errors
 */
export async function leaveLine(saleId: string, userId: string): Promise<number | null> {
  const rows = await db().$queryRaw<{ left_at: Date }[]>`
    WITH gone AS (
      UPDATE line_entries SET left_at = now() WHERE sale_id = ${saleId} AND user_id = ${userId} AND left_at IS NULL
      RETURNING left_at)
    SELECT left_at FROM gone
    UNION ALL
    SELECT max(left_at) FROM line_entries WHERE sale_id = ${saleId} AND user_id = ${userId} AND left_at IS NOT NULL
    LIMIT 1`;
  return rows[0]?.left_at?.getTime() ?? null;
}
