import 'server-only';
import type { Db } from '@/lib/db/client';
import { orderKeys } from './order-key';
import type { StockOrder } from './types';

/** Returns the paid ones among a sale's orders, with their units, by number. */
export async function findPaid(
  tx: Db,
  saleId: string,
  orderNos: readonly string[],
): Promise<(StockOrder & { quantity: number })[]> {
  const { shards, ids } = orderKeys(orderNos);
  const rows = await tx.$queryRaw<{ id: string; user_id: string; quantity: number }[]>`
    SELECT o.id::text, o.user_id, o.quantity
    FROM unnest(${shards}::smallint[], ${ids}::text[]::bigint[]) AS i (shard, id)
    JOIN orders o ON o.shard = i.shard AND o.id = i.id
    WHERE o.sale_id = ${saleId} AND o.status = 'paid'
    ORDER BY o.id`;
  return rows.map(({ id, user_id, quantity }) => ({ orderNo: id, saleId, userId: user_id, quantity }));
}
