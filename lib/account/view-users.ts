import 'server-only';
import type { UserView } from '@/lib/contract/shapes/user';
import type { Role } from '@/lib/contract/words/roles';
import { type Db, db } from '@/lib/db/client';
import type { User } from '@/prisma/generated/client';

type Row = Omit<User, 'passwordHash'>;

/** Turns rows of accounts into the admin area's view. */
export async function viewUsers(rows: readonly Row[], client: Db = db()): Promise<UserView[]> {
  const ids = rows.map(({ id }) => id);
  const earned = await client.$queryRaw<{ id: string; level: number }[]>`
    SELECT id, level_of(id, 0, NULL) AS level FROM unnest(${ids}::text[]) AS id`;
  const levels = new Map(earned.map(({ id, level }) => [id, level]));
  return rows.map((row) => ({
    userId: row.id,
    email: row.email,
    name: row.name,
    role: row.role as Role,
    level: row.level,
    levelUntil: row.levelUntil?.getTime() ?? null,
    earnedLevel: levels.get(row.id) ?? 0,
    hasSecondFactor: row.secondFactorAt !== null,
    createdAt: row.createdAt.getTime(),
    emailVerifiedAt: row.emailVerifiedAt?.getTime() ?? null,
    bannedAt: row.bannedAt?.getTime() ?? null,
  }));
}

/** The same for one account. */
export async function viewUser(row: Row, client: Db = db()): Promise<UserView> {
  const [view] = await viewUsers([row], client);
  if (!view) throw new Error('one account makes one view');
  return view;
}
