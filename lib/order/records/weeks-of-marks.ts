import 'server-only';
import { nowMs } from '@/lib/clock';
import { db } from '@/lib/db/client';
import { sqlState } from '@/lib/db/sql-state';
import { log } from '@/lib/http/log';
import { ORDER_EPOCH_MS } from '@/lib/ids/order-no';

const WEEK_MS = 7 * 86_400_000;
/** Workers may be away for that long before the first mark lies in no week; it is then pruned by row, as before. */
export const WEEKS_AHEAD = 8;
/** SQLSTATE: somebody uses the table for longer than anybody should wait for us. */
const LOCK_TIMEOUT = '55P03';

/**
 * Makes the partitions for the marks of the next eight weeks. Tries again at the next call where the table is in use.
 * @param from the present, epoch ms
 * @returns how many were missing and are there now
 */
export async function addWeeksOfMarks(from = nowMs()): Promise<number> {
  let added = 0;
  const thisWeek = ORDER_EPOCH_MS + Math.floor((from - ORDER_EPOCH_MS) / WEEK_MS) * WEEK_MS;
  for (let n = 1; n <= WEEKS_AHEAD; n += 1) {
    const day = new Date(thisWeek + n * WEEK_MS).toISOString().slice(0, 10);
    const [row] = await unlessBusy(
      () => db().$queryRaw<{ isNew: boolean }[]>`SELECT add_week_of_marks(${day}::date) AS "isNew"`,
    );
    if (row?.isNew) added += 1;
  }
  await warnIfMissing(new Date(thisWeek + WEEK_MS));
  return added;
}

/**
 * Counts the weeks in a row, from the next one on, that have a partition for their marks. A missing one makes nothing fail, so
 * somebody must look. @returns 0 to 8
 */
export async function countMarkWeeksAhead(): Promise<number> {
  const [row] = await db().$queryRaw<{ ahead: number }[]>`
    SELECT (coalesce(min(n), ${WEEKS_AHEAD}::int + 1) - 1)::int AS ahead FROM generate_series(1, ${WEEKS_AHEAD}::int) AS n
    WHERE to_regclass('processed_messages_' || to_char(week_of_marks(now()) + 7 * n, 'YYYYMMDD')) IS NULL`;
  return row?.ahead ?? 0;
}

/** Nothing fails then: the marks of that week lie in the rest, and are pruned row by row. */
async function warnIfMissing(week: Date): Promise<void> {
  const name = week.toISOString().slice(0, 10).replaceAll('-', '');
  const [row] = await db().$queryRaw<{ isThere: boolean }[]>`
    SELECT to_regclass(${`processed_messages_${name}`}) IS NOT NULL AS "isThere"`;
  if (!row?.isThere) log.warn({ week: name }, 'there is no partition yet for the marks of the next week');
}

/**
 * Drops the weeks of marks that ended more than `days` ago, whole. Marks in them that are needed stay: those of purchases
 * without an order, of paid orders that are not settled, and those that are younger than their week.
 * @returns how many marks went.
 */
export async function dropWeeksOfMarks(days: number): Promise<number> {
  let dropped = 0;
  for (;;) {
    const [gone] = await unlessBusy(
      () => db().$queryRaw<{ week: string; dropped: bigint; kept: bigint }[]>`
        SELECT * FROM drop_week_of_marks(now() - make_interval(days => ${days}::int))`,
    );
    if (!gone) return dropped;
    log.info(
      { week: gone.week, dropped: Number(gone.dropped), kept: Number(gone.kept) },
      'a week of marks dropped',
    );
    dropped += Number(gone.dropped);
  }
}

async function unlessBusy<T>(run: () => Promise<T[]>): Promise<T[]> {
  try {
    return await run();
  } catch (error) {
    if (sqlState(error) === LOCK_TIMEOUT) return [];
    throw error;
  }
}
