import 'server-only';
import { z } from 'zod';
import { db } from '@/lib/db/client';
import { countUnread } from './count-unread';

const MAX_IDS = 100;
export const markReadSchema = z.object({
  ids: z
    .array(z.string().regex(/^\d{1,18}$/))
    .min(1)
    .max(MAX_IDS)
    .optional(),
});

/**
 * Marks a user's notices as read: those named, or all. Other people's are left alone. Idempotent.
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
