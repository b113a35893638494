import 'server-only';
import type { Page } from '@/lib/contract/shapes/common';
import type { UserFilter, UserView } from '@/lib/contract/shapes/user';
import { literally } from '@/lib/db/literally';
import { readStale } from '@/lib/db/read-stale';
import { decodeCursor, encodeCursor } from '@/lib/http/cursor';
import { viewUsers } from './view-users';

/** Returns one page of accounts, newest first. */
export async function listUsers(
  { cursor, limit }: Page,
  { search, role, state }: UserFilter,
): Promise<{ users: UserView[]; nextCursor: string | null }> {
  const rows = await readStale((client) =>
    client.user.findMany({
      where: {
        id: cursor ? { lt: decodeCursor(cursor) } : undefined,
        role,
        bannedAt: state === 'banned' ? { not: null } : undefined,
        ...(search
          ? { OR: [{ email: { startsWith: literally(search.toLowerCase()) } }, { id: search }] }
          : {}),
      },
      omit: { passwordHash: true },
      orderBy: { id: 'desc' },
      take: limit + 1,
    }),
  );
  const users = await viewUsers(rows.slice(0, limit));
  const last = users.at(-1);
  return { users, nextCursor: last && rows.length > limit ? encodeCursor(last.userId) : null };
}
