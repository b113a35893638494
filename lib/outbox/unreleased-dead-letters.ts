import 'server-only';
import { db } from '@/lib/db/client';

const BATCH = 100;

/** A dead letter whose purchase may still hold its units. */
export type UnreleasedDeadLetter = { id: string; saleId: string; orderNo: string; userId: string };

/**
 * Finds up to 100 purchases that were given up on their way to an order and whose units were not given back, oldest
 * first. Includes those that staff tried to revive without finishing within a minute.
 * @param orderNos only these; null = any that were given up more than 10 s ago. @param exceptSales not of these sales
 */
export async function findUnreleased(
  orderNos: readonly string[] | null,
  exceptSales: readonly string[] = [],
): Promise<UnreleasedDeadLetter[]> {
  const only = orderNos && [...orderNos];
  return db().$queryRaw<UnreleasedDeadLetter[]>`
    SELECT id::text, sale_id AS "saleId", order_no::text AS "orderNo", payload->>'userId' AS "userId" FROM dead_letters
    WHERE (released_at IS NULL OR (retried_at > released_at AND resolved_at IS NULL
                                   AND retried_at < now() - interval '1 minute'))
      AND consumer IN ('create-orders', 'relay')
      AND sale_id IS NOT NULL AND order_no IS NOT NULL AND payload->>'userId' IS NOT NULL
      AND sale_id <> ALL (${[...exceptSales]}::text[])
      AND (CASE WHEN ${only}::text[] IS NULL THEN created_at < now() - interval '10 seconds'
                ELSE order_no = ANY (${only}::text[]::bigint[]) END)
    ORDER BY dead_letters.id LIMIT ${BATCH}`;
}

/** Notes that the units of these purchases were given back. */
export async function markReleased(ids: readonly string[]): Promise<void> {
  await db().$executeRaw`
    UPDATE dead_letters SET released_at = now() WHERE id = ANY (${[...ids]}::text[]::bigint[])`;
}
