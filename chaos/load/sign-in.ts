import { claimsOf, sessionCookieName, signSession } from '@/lib/account/sessions/session-token';
import { startSession } from '@/lib/account/sessions/start-session';
import { db } from '@/lib/db/client';

const cookies = new Map<string, Promise<string>>();

/**
 * The session cookie of a user who has signed in, without asking for it: hashing passwords is not what is tested. One session
 * for each; whoever asks while the database is down is not signed in and may ask again.
 * @throws connection errors
 */
export function sessionCookie(userId: string): Promise<string> {
  const known = cookies.get(userId);
  if (known) return known;
  const made = signIn(userId);
  cookies.set(userId, made);
  made.catch(() => cookies.delete(userId));
  return made;
}

async function signIn(userId: string): Promise<string> {
  const user = await db().user.findUniqueOrThrow({ where: { id: userId } });
  const { sessionId } = await startSession(user);
  return `${sessionCookieName()}=${await signSession(claimsOf(user, sessionId))}`;
}

/** The headers of a signed-in user's own request to `origin`. */
export const ownHeaders = (cookie: string, origin: string): Record<string, string> => ({
  cookie,
  origin,
  'content-type': 'application/json',
});
