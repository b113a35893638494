import 'server-only';
import { db } from '@/lib/db/client';
import { countMarkWeeksAhead } from '@/lib/order/records/weeks-of-marks';
import type { Figures, HitCount } from './types';

/**
 * A unit that is still held this long after its deadline is overdue. The next two are the windows in which hits and
 * misfits are counted.
 */
const OVERDUE_SEC = 300;
const HITS_WINDOW_SEC = 600;
const MISFITS_WINDOW_SEC = 3_600;
/** Compared as text: AND may evaluate its sides in any order, and no text fails at that. */
const MAX_BIGINT = String(2n ** 63n - 1n);

type Watched =
  | 'overdue'
  | 'messages'
  | 'deadLetters'
  | 'misfits'
  | 'executor'
  | 'hits'
  | 'markWeeksAhead'
  | 'logs';
type DatabaseFigures = Pick<Figures, Watched> & {
  orders: { saleId: string; status: string; count: number }[];
};

/**
 * Reads the figures that Postgres has, in a few statements that each use an index. Moments are stored in ms and may
 * be rounded up, hence the `greatest`. @param saleIds the sales whose orders are counted
 */
export async function readDatabaseFigures(saleIds: readonly string[]): Promise<DatabaseFigures> {
  const [orders, overdue, messages, deadLetters, misfits, executor, hits, markWeeksAhead, logs] =
    await Promise.all([
      db().$queryRaw<DatabaseFigures['orders']>`
      SELECT sale_id AS "saleId", status, count(*)::int AS count FROM orders
      WHERE sale_id = ANY (${[...saleIds]}::text[]) GROUP BY sale_id, status`,
      db().$queryRaw<Figures['overdue']>`
      SELECT sale_id AS "saleId", sum(quantity)::int AS units FROM (
        SELECT sale_id, quantity FROM orders
        WHERE status = 'pending_payment' AND pay_by < now() - make_interval(secs => ${OVERDUE_SEC}::int)
        UNION ALL
        SELECT sale_id, quantity FROM orders
        WHERE stock_settled_at IS NULL AND status IN ('cancelled', 'failed')
          AND updated_at < now() - make_interval(secs => ${OVERDUE_SEC}::int)) AS held
      GROUP BY sale_id`,
      db().$queryRaw<Figures['messages']>`
      SELECT topic, count(*)::int AS due,
             greatest(extract(epoch FROM now() - min(next_attempt_at)) * 1000, 0)::float AS "lagMs"
      FROM outgoing_messages WHERE sent_at IS NULL AND next_attempt_at <= now() GROUP BY topic`,
      db().$queryRaw<Figures['deadLetters']>`
      SELECT consumer, count(*)::int AS count FROM dead_letters WHERE resolved_at IS NULL GROUP BY consumer`,
      db().$queryRaw<Figures['misfits']>`
      SELECT o.sale_id AS "saleId", count(DISTINCT coalesce(e.payment_id, e.webhook_id))::int AS payments
      FROM payment_events e
      CROSS JOIN LATERAL (
        SELECT CASE WHEN e.payment_id ~ '^pay_[0-9]{1,19}$' AND lpad(substr(e.payment_id, 5), 19, '0') COLLATE "C" <= ${MAX_BIGINT}
                    THEN substr(e.payment_id, 5)::bigint END AS id) n
      LEFT JOIN orders o ON o.shard = (n.id & 1023)::smallint AND o.id = n.id
      WHERE e.outcome IN ('mismatch', 'sent_back', 'unknown_payment')
        AND e.received_at > now() - make_interval(secs => ${MISFITS_WINDOW_SEC}::int)
      GROUP BY o.sale_id`,
      db().$queryRaw<Figures['executor'][]>`
      SELECT count(*) FILTER (WHERE due_at <= now())::int AS due, count(*) FILTER (WHERE due_at > now())::int AS sleeping,
             greatest(extract(epoch FROM now() - min(due_at)) * 1000, 0)::float AS "lagMs"
      FROM executor.queue WHERE leased_by IS NULL OR due_at <= now()`,
      db().$queryRaw<HitCount[]>`
      SELECT rule_id AS "ruleId",
             count(*) FILTER (WHERE created_at > now() - make_interval(secs => ${HITS_WINDOW_SEC}::int))::int AS recent,
             count(*) FILTER (WHERE created_at <= now() - make_interval(secs => ${HITS_WINDOW_SEC}::int))::int AS before
      FROM risk_hits
      WHERE NOT dry_run AND created_at > now() - make_interval(secs => ${2 * HITS_WINDOW_SEC}::int)
      GROUP BY rule_id`,
      countMarkWeeksAhead(),
      db().$queryRaw<Figures['logs']>`
      SELECT "saleId", greatest(extract(epoch FROM now() - min(since)) * 1000, 0)::float AS "lagMs" FROM (
        SELECT sale_id AS "saleId", min(logged_at) AS since FROM decision_batches GROUP BY sale_id
        UNION ALL
        SELECT sale_id, grown_at FROM decision_logs WHERE size > signed_size) AS waiting
      GROUP BY "saleId"`,
    ]);
  return {
    orders,
    overdue,
    messages,
    deadLetters,
    misfits,
    hits,
    markWeeksAhead,
    logs,
    executor: executor[0] ?? { due: 0, lagMs: 0, sleeping: 0 },
  };
}
