import 'server-only';
import { db } from '@/lib/db/client';

/** Counting stops here; the bell shows "99+" before that. */
const MAX_COUNTED = 100;

/** Counts a user's unread notices, at most 100. */
export async function countUnread(userId: string): Promise<number> {
  const [row] = await db().$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM notifications WHERE user_id = ${userId} AND read_at IS NULL LIMIT ${MAX_COUNTED}) AS unread`;
  return row?.count ?? 0;
}
