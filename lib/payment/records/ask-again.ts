import 'server-only';
import type { Db } from '@/lib/db/client';
import { orderNosOf } from '@/lib/ids/payment-key';

/** Schedules a query to the provider about these payments, settled or not, within seconds; an open query comes sooner. */
export async function askAgain(tx: Db, paymentIds: readonly string[]): Promise<void> {
  await tx.$executeRaw`
    UPDATE payments p
    SET queries = CASE WHEN next_query_at IS NULL THEN 0 ELSE queries END, next_query_at = now()
    FROM unnest(${orderNosOf(paymentIds)}::text[]::bigint[]) AS n (id)
    WHERE p.shard = (n.id & 1023)::smallint AND p.order_id = n.id`;
}
