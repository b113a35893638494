import 'server-only';
import { db } from '@/lib/db/client';
import { deleteInBatches } from '@/lib/db/delete-in-batches';

const BATCH = 5_000;
const ROUNDS = 20;

/**
 * Deletes changes of address that can't be undone any more, and the addresses with them; at most 100,000 at a time.
 * @returns how many
 */
export const pruneEmailChanges = (): Promise<number> =>
  deleteInBatches(
    () => db().$executeRaw`
      DELETE FROM email_changes WHERE id IN (
        SELECT id FROM email_changes WHERE undo_until < now() LIMIT ${BATCH})`,
    { size: BATCH, most: ROUNDS },
  );
