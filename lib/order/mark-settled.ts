import 'server-only';
import { db } from '@/lib/db/client';
import { orderKeys } from './order-key';

/**
 * Notes that the outcome of these orders has reached the stock in Redis. Idempotent. Skips orders that do not have
 * that outcome, or no longer: Redis got another outcome than theirs.
 */
export async function markSettled(
  orderNos: readonly string[],
  outcome: readonly ('paid' | 'cancelled' | 'failed' | 'refunded')[],
): Promise<void> {
  if (orderNos.length === 0) return;
  const { shards, ids } = orderKeys(orderNos);
  await db().$executeRaw`
    UPDATE orders o SET stock_settled_at = now()
    FROM (SELECT o.shard, o.id
          FROM unnest(${shards}::smallint[], ${ids}::text[]::bigint[]) AS i (shard, id)
          JOIN orders o ON o.shard = i.shard AND o.id = i.id
          WHERE o.stock_settled_at IS NULL AND o.status = ANY (${[...outcome]}::text[])
          ORDER BY o.id FOR UPDATE OF o) AS due
    WHERE o.shard = due.shard AND o.id = due.id`;
}
