import { claimsOf, sessionCookieName, signSession } from '@/lib/account/sessions/session-token';
import { startSession } from '@/lib/account/sessions/start-session';
import { db } from '@/lib/db/client';

const cookies = new Map<string, string>();

/**
 * Signs a user in without a request: the hashing of passwords is not under test. One session for each user.
 * @returns the session's cookie
 * @throws connection errors, and when there is no such user
 */
export async function signIn(userId: string): Promise<string> {
  const known = cookies.get(userId);
  if (known) return known;
  const user = await db().user.findUniqueOrThrow({ where: { id: userId } });
  const sessionId = await startSession(user);
  const cookie = `${sessionCookieName()}=${await signSession(claimsOf(user, sessionId))}`;
  cookies.set(userId, cookie);
  return cookie;
}

/**
 * Returns the cookie of a user who was signed in earlier, so it works while the database is away.
 * @throws when the user was not
 */
export function sessionCookie(userId: string): string {
  const cookie = cookies.get(userId);
  if (!cookie) throw new Error(`${userId} has not signed in`);
  return cookie;
}

/** Returns the headers of a signed-in user's own request to `origin`. */
export const ownHeaders = (cookie: string, origin: string): Record<string, string> => ({
  cookie,
  origin,
  'content-type': 'application/json',
});
