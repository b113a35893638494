import { claimsOf, sessionCookieName, signSession } from '@/lib/account/sessions/session-token';
import { startSession } from '@/lib/account/sessions/start-session';
import { db } from '@/lib/db/client';

const cookies = new Map<string, string>();

/**
 * Signs users in without asking for it: hashing passwords is not what is tested. Before anything is broken, as this
 * needs the database.
 * @throws connection errors, and when there is no such user
 */
export async function signIn(userIds: readonly string[]): Promise<void> {
  for (const userId of userIds) {
    const user = await db().user.findUniqueOrThrow({ where: { id: userId } });
    const { sessionId } = await startSession(user);
    cookies.set(userId, `${sessionCookieName()}=${await signSession(claimsOf(user, sessionId))}`);
  }
}

/** The session cookie of a user. @throws when nobody has signed them in. */
export function sessionCookie(userId: string): string {
  const cookie = cookies.get(userId);
  if (!cookie) throw new Error(`${userId} has not signed in`);
  return cookie;
}

/** The headers of a signed-in user's own request to `origin`. */
export const ownHeaders = (cookie: string, origin: string): Record<string, string> => ({
  cookie,
  origin,
  'content-type': 'application/json',
});
