import 'server-only';
import { db } from '@/lib/db/client';

const BATCH = 1_000;
const ROUNDS = 100;
const KEEP_DAYS = 7;

type Looked = { last: bigint | null; isOld: boolean; deleted: number };

/**
 * Deletes messages that were sent more than 7 days ago. Looks at the oldest first, at most 100,000 in a call, and ends
 * where they are younger: it never reads the whole table, of which it has no index by time.
 * @returns how many.
 */
export async function pruneMessages(): Promise<number> {
  let deleted = 0;
  let after = 0n;
  for (let round = 0; round < ROUNDS; round += 1) {
    const [looked] = await db().$queryRaw<Looked[]>`
      WITH page AS MATERIALIZED (
        SELECT id, sent_at, created_at FROM outgoing_messages WHERE id > ${after} ORDER BY id LIMIT ${BATCH}
      ), gone AS (
        DELETE FROM outgoing_messages m USING page
        WHERE m.id = page.id AND page.sent_at < now() - make_interval(days => ${KEEP_DAYS}::int)
        RETURNING 1
      )
      SELECT max(id) AS last, coalesce(min(created_at) < now() - make_interval(days => ${KEEP_DAYS}::int), false) AS "isOld",
             (SELECT count(*)::int FROM gone) AS deleted FROM page`;
    deleted += looked?.deleted ?? 0;
    if (!looked?.last || !looked.isOld) break;
    after = looked.last;
  }
  return deleted;
}
