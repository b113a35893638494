import 'server-only';
import type { Db } from '@/lib/db/client';

/** Schedules a query to the provider about these payments, settled or not, within seconds; an open query comes sooner. */
export async function askAgain(tx: Db, paymentIds: readonly string[]): Promise<void> {
  await tx.$executeRaw`
    UPDATE payments
    SET queries = CASE WHEN next_query_at IS NULL THEN 0 ELSE queries END, next_query_at = now()
    WHERE id = ANY (${[...paymentIds]}::text[])`;
}
