import 'server-only';
import { db } from '@/lib/db/client';

const BATCH_SIZE = 5_000;
const MOST_BATCHES = 20;

/**
 * Deletes changes of address that nobody can undo any more, and with them the addresses.
 * @returns how many it deleted; at most 100,000 in one call
 */
export async function pruneEmailChanges(): Promise<number> {
  let pruned = 0;
  for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
    const count = await db().$executeRaw`
      DELETE FROM email_changes WHERE id IN (
        SELECT id FROM email_changes WHERE undo_until < now() LIMIT ${BATCH_SIZE})`;
    pruned += count;
    if (count < BATCH_SIZE) break;
  }
  return pruned;
}
