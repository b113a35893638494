import 'server-only';
import { joinReads } from '@/lib/db/join-reads';
import { keptQuery } from '@/lib/db/kept-query';

/** Counting stops here; the bell shows "99+" before that. */
const MAX_COUNTED = 100;

const readCounts = joinReads(async (userIds: string[]) => {
  const rows = await keptQuery<{ user_id: string; count: number }>`
    SELECT user_id, count FROM unnest(${userIds}::text[]) AS asked (user_id)
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS count FROM (
        SELECT FROM notifications n WHERE n.user_id = asked.user_id AND n.read_at IS NULL LIMIT ${MAX_COUNTED}) AS unread
    ) AS counted`;
  return new Map(rows.map(({ user_id, count }) => [user_id, count]));
});

/** Counts a user's unread notices, at most 100. */
export const countUnread = async (userId: string): Promise<number> => (await readCounts(userId)) ?? 0;
