import 'server-only';
import { db } from '@/lib/db/client';
import { paymentKey } from '@/lib/ids/payment-key';

const BATCH = 50;
const MAX_WAIT_SEC = 3_600;
/** How long after it was opened an unpaid payment still gets queries: by then the provider's own time to pay is over. */
const GIVE_UP_AFTER_HOURS = 24;

/** A payment whose provider is due for a query. */
export type DueQuery = {
  paymentId: string;
  provider: string;
  /** How many queries were sent since this one was scheduled, including this one. */
  queries: number;
  /** When the next query is due; tells whether a new one was scheduled meanwhile. Null: none had been scheduled. */
  nextQueryAt: Date | null;
};

/**
 * Claims up to 50 payments whose provider is due for a query. Each is due again after 30 s, 1, 2, 4 … 60 min, until
 * `closeQuery` says that the answer suffices. Workers can run it in parallel.
 */
export async function claimQueries(): Promise<DueQuery[]> {
  return db().$queryRaw<DueQuery[]>`
    WITH due AS MATERIALIZED (
      SELECT shard, order_id FROM payments WHERE next_query_at <= now()::timestamptz(3)
      ORDER BY next_query_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
    )
    UPDATE payments p
    SET queries = queries + 1,
        next_query_at = now() + make_interval(secs => least(30 * power(2, least(queries, 20)), ${MAX_WAIT_SEC}))
    FROM due WHERE p.shard = due.shard AND p.order_id = due.order_id
    RETURNING p.id AS "paymentId", provider, queries, next_query_at AS "nextQueryAt"`;
}

/** Returns those payments of these orders that are not settled and that the provider may have heard of. */
export async function findOpened(orderNos: readonly string[]): Promise<DueQuery[]> {
  return db().$queryRaw<DueQuery[]>`
    SELECT p.id AS "paymentId", p.provider, p.queries, p.next_query_at AS "nextQueryAt"
    FROM orders_numbered(${[...orderNos]}::text[]::bigint[]) o
    JOIN payments p ON p.shard = o.shard AND p.order_id = o.id
    WHERE o.status = 'pending_payment' AND o.pay_by <= now()
      AND (p.opened_at IS NOT NULL OR p.next_query_at IS NOT NULL) AND p.status IN ('pending', 'failed')`;
}

/**
 * Records that the provider has answered and there was nothing to book. Ends the queries if the payment is settled,
 * or was opened more than a day ago. A provider that does not answer gets queries forever. A query scheduled
 * meanwhile stays.
 */
export async function closeQuery({ paymentId, nextQueryAt }: DueQuery): Promise<void> {
  if (!nextQueryAt) return;
  const { shard, orderId } = paymentKey(paymentId);
  await db().$executeRaw`
    UPDATE payments SET next_query_at = NULL
    WHERE shard = ${shard} AND order_id = ${orderId} AND next_query_at = ${nextQueryAt}
      AND (status NOT IN ('pending', 'failed')
           OR coalesce(opened_at, created_at) < now() - make_interval(hours => ${GIVE_UP_AFTER_HOURS}::int))`;
}
