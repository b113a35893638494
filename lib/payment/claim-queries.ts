import 'server-only';
import { db } from '@/lib/db/client';

const BATCH = 50;
const MAX_WAIT_SEC = 3_600;
/** After this long the provider is not asked any more: its own time to pay is over. */
const GIVE_UP_AFTER_HOURS = 24;

export type DueQuery = { paymentId: string; provider: string };

/**
 * Takes up to 50 payments whose callback is late: the shopper went to pay, nothing has been heard since. Each is taken
 * again after 30 s, 1, 2, 4 … 60 min, until it is settled or a day has passed. Safe side by side.
 */
export async function claimQueries(): Promise<DueQuery[]> {
  return db().$queryRaw<DueQuery[]>`
    UPDATE payments
    SET queries = queries + 1,
        next_query_at = CASE WHEN opened_at < now() - make_interval(hours => ${GIVE_UP_AFTER_HOURS}::int) THEN NULL
                             ELSE now() + make_interval(secs => least(30 * power(2, least(queries, 20)), ${MAX_WAIT_SEC})) END
    WHERE id IN (SELECT id FROM payments
                 WHERE next_query_at <= now()::timestamptz(3) AND status IN ('pending', 'failed')
                 ORDER BY next_query_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
    RETURNING id AS "paymentId", provider`;
}

/** Those of these orders' payments whose shopper was sent to the provider and of which nothing has been heard. */
export async function findOpened(shards: readonly number[], ids: readonly string[]): Promise<DueQuery[]> {
  return db().$queryRaw<DueQuery[]>`
    SELECT p.id AS "paymentId", p.provider
    FROM unnest(${[...shards]}::smallint[], ${[...ids]}::text[]::bigint[]) AS i (shard, id)
    JOIN orders o ON o.shard = i.shard AND o.id = i.id AND o.status = 'pending_payment' AND o.pay_by <= now()
    JOIN payments p ON p.shard = i.shard AND p.order_id = i.id
    WHERE p.opened_at IS NOT NULL AND p.status IN ('pending', 'failed')`;
}
