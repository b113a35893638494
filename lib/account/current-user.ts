import 'server-only';
import { cookies } from 'next/headers';
import { decode } from 'next-auth/jwt';
import { db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { sessionCookieName } from './auth-options';
import { ROLES } from './roles';
import type { CurrentUser } from './types';

/**
 * The signed-in user of the current request, or null.
 * Reads the user's row each time: bans, role changes and sign-outs everywhere act at once.
 */
export async function currentUser(): Promise<CurrentUser | null> {
  const cookie = (await cookies()).get(sessionCookieName())?.value;
  if (!cookie) return null;
  const token = await decode({ token: cookie, secret: env().nextAuthSecret }).catch(() => null);
  if (!token?.sub) return null;
  const user = await db().user.findUnique({ where: { id: token.sub }, omit: { passwordHash: true } });
  if (!user || user.bannedAt !== null || user.sessionVersion !== token.sv) return null;
  const role = ROLES.find((known) => known === user.role);
  if (!role) throw new Error(`user ${user.id} has the unknown role ${user.role}`);
  const { id: userId, email, name, level } = user;
  const createdAt = user.createdAt.getTime();
  return {
    userId,
    email,
    name,
    role,
    level,
    createdAt,
    emailVerifiedAt: user.emailVerifiedAt?.getTime() ?? null,
  };
}
