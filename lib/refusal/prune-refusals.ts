import 'server-only';
import { db } from '@/lib/db/client';
import { deleteInBatches } from '@/lib/db/delete-in-batches';

const BATCH = 5_000;
const ROUNDS = 100;
/** For how long the shop can answer "why not me?". */
export const KEEP_DAYS = 30;

/** Deletes refusals that are older than 30 days, at most 500,000 at a time. @returns how many. */
export async function pruneRefusals(): Promise<number> {
  const deleted = await deleteInBatches(
    () => db().$executeRaw`
      DELETE FROM refusals WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM refusals WHERE first_at < now() - make_interval(days => ${KEEP_DAYS}::int) LIMIT ${BATCH}))`,
    { size: BATCH, most: ROUNDS },
  );
  await db().$executeRaw`
    DELETE FROM lost_refusals WHERE last_at < now() - make_interval(days => ${KEEP_DAYS}::int)`;
  return deleted;
}
