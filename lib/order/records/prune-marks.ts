import 'server-only';
import { db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { CONFIRM_PAID, CREATE_ORDERS } from './consumer-names';
import { dropWeeksOfMarks } from './weeks-of-marks';

const BATCH = 5_000;
const ROUNDS = 100;

type Looked = { count: number; deleted: number; last: Date | null };

/**
 * Removes old marks of processed messages (`KEEP_MARKS_DAYS`), whole weeks first (`dropWeeksOfMarks`). A mark of
 * `create-orders` also needs a written order, one of `confirm-paid` a settled one (paid or refunded). Marks that lie in
 * no week go oldest first, up to 5,000 in a statement and 500,000 in a call.
 * @returns how many it removed; 0 where marks are kept for ever.
 */
export async function pruneMarks(): Promise<number> {
  const { keepMarksDays } = env();
  if (keepMarksDays === null) return 0;
  let deleted = await dropWeeksOfMarks(keepMarksDays);
  let from = new Date(0);
  for (let round = 0; round < ROUNDS; round += 1) {
    const looked = await pruneFrom(from, keepMarksDays);
    deleted += looked.deleted;
    if (looked.count < BATCH || !looked.last) break;
    // Marks that have to stay are not looked at twice. Those of the same moment may wait for the next call.
    from = looked.last > from ? looked.last : new Date(from.getTime() + 1);
  }
  return deleted;
}

async function pruneFrom(from: Date, days: number): Promise<Looked> {
  const [looked] = await db().$queryRaw<Looked[]>`
    WITH old AS MATERIALIZED (
      SELECT ctid, consumer, message_id, processed_at FROM processed_messages_rest
      WHERE processed_at >= ${from} AND processed_at < now() - make_interval(days => ${days}::int)
      ORDER BY processed_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
    ), written AS MATERIALIZED (
      SELECT o.id::text AS message_id,
             o.status IN ('paid', 'refunded') AND o.stock_settled_at IS NOT NULL AS is_counted
      FROM orders_numbered(ARRAY(
             SELECT DISTINCT message_id::bigint FROM old WHERE consumer IN (${CREATE_ORDERS}, ${CONFIRM_PAID}))) o
    ), gone AS (
      -- By their places: they are locked, and a join would read the whole table. A place is one in this partition only.
      DELETE FROM processed_messages_rest WHERE ctid = ANY (ARRAY(
        SELECT old.ctid FROM old LEFT JOIN written w ON w.message_id = old.message_id
        WHERE CASE old.consumer WHEN ${CREATE_ORDERS} THEN w.message_id IS NOT NULL
                                WHEN ${CONFIRM_PAID} THEN coalesce(w.is_counted, false)
                                ELSE true END))
      RETURNING 1
    )
    SELECT count(*)::int AS count, max(processed_at) AS last, (SELECT count(*)::int FROM gone) AS deleted FROM old`;
  return looked ?? { count: 0, deleted: 0, last: null };
}
