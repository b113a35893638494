import 'server-only';
import { z } from 'zod';
import { db } from '@/lib/db/client';
import type { Page } from '@/lib/contract/shapes/common';
import { decodeCursor, encodeCursor } from '@/lib/http/cursor';
import type { User } from '@/prisma/generated/client';
import { ROLES, type Role } from './roles';

export const userFilterSchema = z.object({
  search: z.string().trim().max(254).optional(),
  role: z.enum(ROLES).optional(),
  state: z.enum(['all', 'banned']).default('all'),
});

/** An account as the desk shows it. Times in epoch ms. */
export type UserView = {
  userId: string;
  email: string;
  name: string;
  role: Role;
  level: number;
  createdAt: number;
  emailVerifiedAt: number | null;
  bannedAt: number | null;
};

export type UserFilter = {
  /** How the address begins, or the whole id. */
  search?: string;
  role?: Role;
  isBanned?: boolean;
};

/** One page of accounts, newest first. */
export async function listUsers(
  { cursor, limit }: Page,
  { search, role, isBanned }: UserFilter,
): Promise<{ users: UserView[]; nextCursor: string | null }> {
  const rows = await db().user.findMany({
    where: {
      id: cursor ? { lt: decodeCursor(cursor) } : undefined,
      role,
      bannedAt: isBanned ? { not: null } : undefined,
      ...(search ? { OR: [{ email: { startsWith: search.toLowerCase() } }, { id: search }] } : {}),
    },
    omit: { passwordHash: true },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const users = rows.slice(0, limit).map(toUserView);
  const last = users.at(-1);
  return { users, nextCursor: last && rows.length > limit ? encodeCursor(last.userId) : null };
}

/** The row in the desk's words. */
export function toUserView(row: Omit<User, 'passwordHash'>): UserView {
  return {
    userId: row.id,
    email: row.email,
    name: row.name,
    role: row.role as Role,
    level: row.level,
    createdAt: row.createdAt.getTime(),
    emailVerifiedAt: row.emailVerifiedAt?.getTime() ?? null,
    bannedAt: row.bannedAt?.getTime() ?? null,
  };
}
