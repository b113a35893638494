import 'server-only';
import { db } from '@/lib/db/client';
import { countUnread } from './count-unread';

/**
 * Marks a user's notices as read: the given ones, or all. Leaves other users' notices alone. Idempotent.
 * @param ids decimal ids; undefined = all.
 * @returns how many are still unread.
 */
export async function markRead(userId: string, ids?: readonly string[]): Promise<number> {
  await db().notification.updateMany({
    where: { userId, readAt: null, id: ids && { in: ids.map(BigInt) } },
    data: { readAt: new Date() },
  });
  return countUnread(userId);
}
