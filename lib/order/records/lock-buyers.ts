import 'server-only';
import type { Db } from '@/lib/db/client';

/**
 * Makes Postgres decide these users' purchases in a sale one after the other, until the transaction ends.
 * @param userIds every caller locks them in one order, so that two callers with several users don't wait for each
 *   other
 */
export async function lockBuyers(tx: Db, saleId: string, userIds: readonly string[]): Promise<void> {
  const names = [...new Set(userIds)].sort().map((userId) => `purchase:${saleId}:${userId}`);
  await tx.$executeRaw`
    SELECT pg_advisory_xact_lock(hashtextextended(name, 0))
    FROM unnest(${names}::text[]) WITH ORDINALITY AS n (name, at) ORDER BY at`;
}
