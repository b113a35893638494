import 'server-only';
import { db } from '@/lib/db/client';

/** The resolution of a dead letter that was tried again and then seemed to be solved. */
export const RETRIED = 'retried';

/**
 * Reopens a dead letter that was closed by a retry, because its problem is back.
 * @returns whether it was closed that way; a letter closed with a reason stays closed
 */
export async function reopenDeadLetter(consumer: string, messageId: string, error: string): Promise<boolean> {
  const { count } = await db().deadLetter.updateMany({
    where: { consumer, messageId, resolution: RETRIED },
    data: { error, resolvedAt: null, resolution: null, resolvedBy: null },
  });
  return count === 1;
}
