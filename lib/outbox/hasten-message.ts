import 'server-only';
import type { Db } from '@/lib/db/client';

/** The state of a message before it was hastened. */
type HastenedMessage = { topic: string; attempts: number; nextAttemptAt: Date };

/**
 * Makes a failed message that waits for its next try due now. Leaves a message alone that is being tried just now: it
 * shows no error (claimed) or is locked (relayed).
 * @returns null if it does not wait
 */
export async function hastenMessage(tx: Db, id: bigint): Promise<HastenedMessage | null> {
  const [waiting] = await tx.$queryRaw<HastenedMessage[]>`
    SELECT topic, attempts, next_attempt_at AS "nextAttemptAt" FROM outgoing_messages
    WHERE id = ${id} AND sent_at IS NULL AND last_error IS NOT NULL
    FOR UPDATE SKIP LOCKED`;
  if (!waiting) return null;
  await tx.$executeRaw`UPDATE outgoing_messages SET next_attempt_at = least(next_attempt_at, now()) WHERE id = ${id}`;
  return waiting;
}
