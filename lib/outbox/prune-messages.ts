import 'server-only';
import { db } from '@/lib/db/client';

const BATCH = 1_000;
const ROUNDS = 100;
const KEEP_DAYS = 7;

/** Deletes messages that were sent more than 7 days ago, at most 100,000 at a time. @returns how many. */
export async function pruneMessages(): Promise<number> {
  let deleted = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const count = await db().$executeRaw`
      DELETE FROM outgoing_messages WHERE id IN (
        SELECT id FROM outgoing_messages WHERE sent_at < now() - make_interval(days => ${KEEP_DAYS}::int)
        ORDER BY id LIMIT ${BATCH})`;
    deleted += count;
    if (count < BATCH) break;
  }
  return deleted;
}
