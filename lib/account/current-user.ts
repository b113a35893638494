import 'server-only';
import { readCookie } from '@/lib/http/read-cookie';
import type { HeaderReader } from '@/lib/http/request-head';
import { readSession } from './sessions/read-session';
import { readSessionToken, sessionCookieName } from './sessions/session-token';
import type { CurrentUser } from './types';

/** Returns the signed-in user of a request, or null. */
export const currentUser = (headers: HeaderReader): Promise<CurrentUser | null> =>
  userOfSession(sessionCookie(headers));

/** Returns the session cookie of a request, for callers that must check it again after the answer has been sent. */
export const sessionCookie = (headers: HeaderReader): string | undefined =>
  readCookie(headers.get('cookie'), sessionCookieName());

/** Returns the user whose session a cookie names, as of now, or null. */
export async function userOfSession(cookie: string | undefined): Promise<CurrentUser | null> {
  const claims = await readSessionToken(cookie);
  return claims && readSession(claims);
}
