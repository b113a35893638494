import 'server-only';
import { db } from '@/lib/db/client';

/** Returns which of these accepted purchases Postgres has dealt with, of whatever sales: as orders or as dead letters. */
export async function whichWritten(orderNos: readonly string[]): Promise<Set<string>> {
  const rows = await db().$queryRaw<{ id: string }[]>`
    SELECT id::text FROM orders_numbered(${[...orderNos]}::text[]::bigint[])
    UNION ALL
    SELECT order_no::text FROM dead_letters
    WHERE order_no = ANY (${[...orderNos]}::text[]::bigint[]) AND consumer IN ('create-orders', 'relay')`;
  return new Set(rows.map(({ id }) => id));
}
