import 'server-only';
import type { Db } from '@/lib/db/client';

const CHUNK = 5_000;

/**
 * Returns which accepted purchases of a sale Postgres has dealt with: as orders, whatever became of them, or as dead
 * letters.
 */
export async function findWritten(tx: Db, saleId: string, orderNos: readonly string[]): Promise<Set<string>> {
  const written = new Set<string>();
  for (let from = 0; from < orderNos.length; from += CHUNK) {
    const ids = orderNos.slice(from, from + CHUNK);
    const rows = await tx.$queryRaw<{ id: string }[]>`
      SELECT o.id::text FROM orders_numbered(${ids}::text[]::bigint[]) o
      WHERE o.sale_id = ${saleId}
      UNION
      SELECT order_no::text FROM dead_letters
      WHERE sale_id = ${saleId} AND consumer IN ('create-orders', 'relay')
        AND order_no = ANY (${ids}::text[]::bigint[])`;
    for (const { id } of rows) written.add(id);
  }
  return written;
}
