import 'server-only';
import type { Db } from '@/lib/db/client';

type Open = { number: bigint; userId: string };

/**
 * Reads the first places of which Postgres does not know what became of them.
 * @param before only places with lower numbers; null: all. @throws connection errors
 */
export function readOpen(tx: Db, saleId: string, before: number | null, most: number): Promise<Open[]> {
  return tx.$queryRaw`
    SELECT number, user_id AS "userId" FROM waitlist_entries
    WHERE sale_id = ${saleId} AND left_at IS NULL AND given_at IS NULL AND passed_at IS NULL
      AND (${before}::bigint IS NULL OR number < ${before}::bigint)
    ORDER BY number LIMIT ${most}`;
}

/** Notes that places were passed over, unless there is an order of theirs. @returns how many. @throws connection errors */
export function writePassedOver(tx: Db, saleId: string, numbers: readonly bigint[]): Promise<number> {
  return tx.$executeRaw`
    UPDATE waitlist_entries SET passed_at = now()
    WHERE sale_id = ${saleId} AND number = ANY (${numbers}::bigint[])
      AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.shard = (order_no & 1023)::smallint AND o.id = order_no)`;
}
