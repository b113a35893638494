import 'server-only';
import { db } from '@/lib/db/client';

/** Returns who among a line's people has a paid order at the same merchant. @throws connection errors */
export async function findBuyers(saleId: string): Promise<Set<string>> {
  const rows = await db().$queryRaw<{ user_id: string }[]>`
    SELECT DISTINCT e.user_id FROM line_entries e
    JOIN sales s ON s.id = e.sale_id
    JOIN sales other ON other.merchant_id = s.merchant_id
    JOIN orders o ON o.sale_id = other.id AND o.user_id = e.user_id AND o.status = 'paid'
    WHERE e.sale_id = ${saleId}`;
  return new Set(rows.map(({ user_id }) => user_id));
}
