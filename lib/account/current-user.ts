import 'server-only';
import { cookies } from 'next/headers';
import { readSession } from './sessions/read-session';
import { readSessionToken, sessionCookieName } from './sessions/session-token';
import type { CurrentUser } from './types';

/** Returns the signed-in user of the current request, or null. */
export async function currentUser(): Promise<CurrentUser | null> {
  return userOfSession(await sessionCookie());
}

/**
 * Returns the session cookie of the current request, for callers that must check it again after the answer has been
 * sent.
 */
export async function sessionCookie(): Promise<string | undefined> {
  return (await cookies()).get(sessionCookieName())?.value;
}

/** Returns the user whose session a cookie names, as of now, or null. */
export async function userOfSession(cookie: string | undefined): Promise<CurrentUser | null> {
  const claims = await readSessionToken(cookie);
  return claims && readSession(claims);
}
