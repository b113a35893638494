import 'server-only';
import { db } from '@/lib/db/client';

/** The resolution of a dead letter that was tried again, and then seemed to be put right. */
export const RETRIED = 'retried';

/**
 * Opens a dead letter again that was tried again: what it tells of is back.
 * @returns whether it was closed so; one that was closed with a reason stays closed
 */
export async function reopenDeadLetter(consumer: string, messageId: string, error: string): Promise<boolean> {
  const { count } = await db().deadLetter.updateMany({
    where: { consumer, messageId, resolution: RETRIED },
    data: { error, resolvedAt: null, resolution: null, resolvedBy: null },
  });
  return count === 1;
}
