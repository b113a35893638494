import 'server-only';
import type { BreakerView } from '@/lib/contract/shapes/live';
import { db } from '@/lib/db/client';

const STALE_AFTER_SEC = 60;
const FORGET_AFTER_DAYS = 1;

/** Returns the state of each side service: the worst among the processes that use it. Silent processes don't count. */
export async function readBreakers(): Promise<BreakerView[]> {
  const rows = await db().$queryRaw<(Omit<BreakerView, 'since'> & { since: Date })[]>`
    SELECT DISTINCT ON (service) service, state, since, last_error AS "lastError" FROM breakers
    WHERE seen_at > now() - make_interval(secs => ${STALE_AFTER_SEC}::int)
    ORDER BY service, array_position(ARRAY['open', 'half_open', 'closed'], state), since`;
  return rows.map((row) => ({ ...row, since: row.since.getTime() }));
}

/** Deletes the reports of processes that have been gone for a day. */
export async function pruneBreakers(): Promise<number> {
  return db().$executeRaw`
    DELETE FROM breakers WHERE seen_at < now() - make_interval(days => ${FORGET_AFTER_DAYS}::int)`;
}
