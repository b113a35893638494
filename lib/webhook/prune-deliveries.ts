import 'server-only';
import { db } from '@/lib/db/client';
import { deleteInBatches } from '@/lib/db/delete-in-batches';

const BATCH = 5_000;
const ROUNDS = 100;
/** Longer than an event can still be made again: messages go after 7 days. */
const KEEP_DAYS = 30;

/** Deletes deliveries older than 30 days, oldest first, at most 500,000 in a call. @returns how many */
export const pruneDeliveries = (): Promise<number> =>
  // Ids rise with time, so the oldest are the first of the primary key: no index of times is needed.
  deleteInBatches(
    () => db().$executeRaw`
      DELETE FROM webhook_deliveries WHERE id IN (
        SELECT id FROM (SELECT id, created_at FROM webhook_deliveries ORDER BY id LIMIT ${BATCH}) AS oldest
        WHERE created_at < now() - make_interval(days => ${KEEP_DAYS}::int))`,
    { size: BATCH, most: ROUNDS },
  );
