import 'server-only';
import { cookies } from 'next/headers';
import { readSession } from './sessions/read-session';
import { readSessionToken, sessionCookieName } from './sessions/session-token';
import type { CurrentUser } from './types';

/** The signed-in user of the current request, or null. */
export async function currentUser(): Promise<CurrentUser | null> {
  return userOfSession(await sessionCookie());
}

/** The session the current request carries; for those who have to ask again after it was answered. */
export async function sessionCookie(): Promise<string | undefined> {
  return (await cookies()).get(sessionCookieName())?.value;
}

/** Whose session a cookie names, as that stands now, or null. */
export async function userOfSession(cookie: string | undefined): Promise<CurrentUser | null> {
  const claims = await readSessionToken(cookie);
  return claims && readSession(claims);
}
