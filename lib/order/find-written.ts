import 'server-only';
import type { Db } from '@/lib/db/client';
import { orderKeys } from './order-key';

const CHUNK = 5_000;

/**
 * Returns which accepted purchases of a sale Postgres has dealt with: as orders, whatever became of them, or as dead
 * letters.
 */
export async function findWritten(tx: Db, saleId: string, orderNos: readonly string[]): Promise<Set<string>> {
  const written = new Set<string>();
  for (let from = 0; from < orderNos.length; from += CHUNK) {
    const { shards, ids } = orderKeys(orderNos.slice(from, from + CHUNK));
    const rows = await tx.$queryRaw<{ id: string }[]>`
      SELECT o.id::text FROM unnest(${shards}::smallint[], ${ids}::text[]::bigint[]) AS i (shard, id)
      JOIN orders o ON o.shard = i.shard AND o.id = i.id
      WHERE o.sale_id = ${saleId}
      UNION
      SELECT order_no::text FROM dead_letters
      WHERE sale_id = ${saleId} AND consumer IN ('create-orders', 'relay')
        AND order_no = ANY (${ids}::text[]::bigint[])`;
    for (const { id } of rows) written.add(id);
  }
  return written;
}
