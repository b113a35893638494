import 'server-only';
import { cookies } from 'next/headers';
import { decode } from 'next-auth/jwt';
import { db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { sessionCookieName } from './auth-options';
import { ROLES } from './roles';
import type { CurrentUser } from './types';
import { toLocale } from './user-locale';

/** The signed-in user of the current request, or null. */
export async function currentUser(): Promise<CurrentUser | null> {
  return userOfSession(await sessionCookie());
}

/** The session the current request carries; for those who have to ask again after it was answered. */
export async function sessionCookie(): Promise<string | undefined> {
  return (await cookies()).get(sessionCookieName())?.value;
}

/**
 * Whose session this is now, or null.
 * Reads the user's row each time: bans, role changes and sign-outs everywhere act at once.
 */
export async function userOfSession(cookie: string | undefined): Promise<CurrentUser | null> {
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
    locale: toLocale(user.locale),
    name,
    role,
    level,
    createdAt,
    emailVerifiedAt: user.emailVerifiedAt?.getTime() ?? null,
  };
}
