import 'server-only';
import type { Page } from '@/lib/contract/shapes/common';
import type { UserFilter, UserView } from '@/lib/contract/shapes/user';
import type { Role } from '@/lib/contract/words/roles';
import type { Db } from '@/lib/db/client';
import { literal } from '@/lib/db/literal';
import { readStale } from '@/lib/db/read-stale';
import { decodeCursor, pageOfRows } from '@/lib/http/cursor';
import { readLevels } from '@/lib/points/read-levels';
import type { User } from '@/prisma/generated/client';

/** Returns one page of accounts, newest first. */
export async function listUsers(
  { cursor, limit }: Page,
  { search, role, state }: UserFilter,
): Promise<{ users: UserView[]; nextCursor: string | null }> {
  const rows = await readStale(async (client) => {
    const found = await client.user.findMany({
      where: {
        id: cursor ? { lt: decodeCursor(cursor) } : undefined,
        role,
        ...(state === 'banned' ? { bannedAt: { not: null }, deletedAt: null } : {}),
        ...(search ? { OR: [{ email: { startsWith: literal(search.toLowerCase()) } }, { id: search }] } : {}),
      },
      omit: { passwordHash: true },
      orderBy: { id: 'desc' },
      take: limit + 1,
    });
    return viewUsers(client, found);
  });
  const { page: users, nextCursor } = pageOfRows(rows, limit, (last) => last.userId);
  return { users, nextCursor };
}

type Row = Omit<User, 'passwordHash'>;

/** Turns a database row into the admin area's view. */
export const viewUser = async (client: Db, row: Row): Promise<UserView> =>
  toUserView(row, await readLevels(client, [row.id]));

async function viewUsers(client: Db, rows: readonly Row[]): Promise<UserView[]> {
  const levels = await readLevels(
    client,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => toUserView(row, levels));
}

function toUserView(row: Row, levels: ReadonlyMap<string, number>): UserView {
  return {
    userId: row.id,
    email: row.email,
    name: row.name,
    role: row.role as Role,
    level: row.level,
    currentLevel: levels.get(row.id) ?? row.level,
    createdAt: row.createdAt.getTime(),
    emailVerifiedAt: row.emailVerifiedAt?.getTime() ?? null,
    mailRefusedAt: row.mailRefusedAt?.getTime() ?? null,
    bannedAt: row.bannedAt?.getTime() ?? null,
    secondFactorAt: row.secondFactorAt?.getTime() ?? null,
    deletedAt: row.deletedAt?.getTime() ?? null,
  };
}
