import 'server-only';
import { db } from '@/lib/db/client';
import { CREATE_ORDERS } from '@/lib/order/consumers';
import { releaseStock } from '@/lib/stock/release-stock';
import { groupByStock } from './group-by-stock';

const BATCH = 100;

type Letter = { id: bigint; saleId: string; orderNo: string; userId: string };

/**
 * Gives back the units of purchases that ended as dead letters, then notes it; those too that somebody tried to revive and
 * did not get done within a minute. Idempotent, at most 100 at a time.
 * @param filter only these orders; without it, any older than 10 s (the sweep).
 * @returns how many there were.
 */
export async function releaseDeadLetters(filter: { orderNos?: readonly string[] } = {}): Promise<number> {
  const orderNos = filter.orderNos ? [...filter.orderNos] : null;
  const letters = await db().$queryRaw<Letter[]>`
    SELECT id, sale_id AS "saleId", order_no::text AS "orderNo", payload->>'userId' AS "userId" FROM dead_letters
    WHERE (released_at IS NULL OR (retried_at > released_at AND resolved_at IS NULL
                                   AND retried_at < now() - interval '1 minute'))
      AND consumer IN (${CREATE_ORDERS}, 'relay')
      AND sale_id IS NOT NULL AND order_no IS NOT NULL AND payload->>'userId' IS NOT NULL
      AND (CASE WHEN ${orderNos}::text[] IS NULL THEN created_at < now() - interval '10 seconds'
                ELSE order_no = ANY (${orderNos}::text[]::bigint[]) END)
    ORDER BY id LIMIT ${BATCH}`;
  if (letters.length === 0) return 0;
  await Promise.all((await groupByStock(letters)).inRedis.map(releaseStock));
  await db().$executeRaw`
    UPDATE dead_letters SET released_at = now()
    WHERE id = ANY (${letters.map(({ id }) => String(id))}::text[]::bigint[])`;
  return letters.length;
}
