import 'server-only';
import { db } from '@/lib/db/client';
import { deleteInBatches } from '@/lib/db/delete-in-batches';
import { env } from '@/lib/env';

const BATCH = 5_000;
const ROUNDS = 100;

/**
 * Deletes notices older than `KEEP_NOTICES_DAYS`, read or not, oldest first, at most 500,000 in a call.
 * @returns how many; 0 where they are kept for ever.
 */
export async function pruneNotifications(): Promise<number> {
  const { keepNoticesDays: days } = env();
  if (days === null) return 0;
  // Ids rise with time, so the oldest are the first of the primary key: no index of times is needed.
  return deleteInBatches(
    () => db().$executeRaw`
      DELETE FROM notifications WHERE id IN (
        SELECT id FROM (SELECT id, created_at FROM notifications ORDER BY id LIMIT ${BATCH}) AS oldest
        WHERE created_at < now() - make_interval(days => ${days}::int))`,
    { size: BATCH, most: ROUNDS },
  );
}
