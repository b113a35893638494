import 'server-only';
import { db } from '@/lib/db/client';

/**
 * Reads the ids of all users who have ever ordered in a sale, for the sold-out flag.
 * @returns undefined if there are more than `atMost`
 */
export async function readDatabaseBuyers(saleId: string, atMost: number): Promise<Set<string> | undefined> {
  const rows = await db().$queryRaw<{ userId: string }[]>`
    SELECT DISTINCT user_id AS "userId" FROM orders WHERE sale_id = ${saleId} LIMIT ${atMost + 1}`;
  return rows.length > atMost ? undefined : new Set(rows.map(({ userId }) => userId));
}
