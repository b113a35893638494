import 'server-only';
import { isSessionEnded } from '@/lib/account/sessions/is-session-ended';
import { readSession } from '@/lib/account/sessions/read-session';
import {
  readSessionToken,
  type SessionClaims,
  sessionCookieName,
} from '@/lib/account/sessions/session-token';
import type { SessionUser } from '@/lib/contract/shapes/account';
import type { Role } from '@/lib/contract/words/roles';
import { isOutage } from '@/lib/errors/is-outage';
import { json } from '@/lib/http/json';
import { readCookie } from '@/lib/http/read-cookie';

type SignedIn = { user: SessionUser; expires: string };

/**
 * Tells a page who is signed in, as NextAuth tells its clients: `{user, expires}`, or `{}` if nobody is. While the
 * database can't be reached it believes the cookie: that only shows a name and gives no rights.
 */
export async function answerSession(request: Request): Promise<Response> {
  const claims = await readSessionToken(readCookie(request.headers.get('cookie'), sessionCookieName()));
  if (!claims) return json({});
  try {
    const user = await readSession(claims);
    if (!user) return json({});
    const { userId: id, email, name, role, level, session } = user;
    const expires = new Date(session.expiresAt).toISOString();
    const signedIn: SignedIn = { user: { id, name, email, role, level }, expires };
    return json(signedIn);
  } catch (error) {
    if (!isOutage(error)) throw error;
    return json(isSessionEnded(claims.sid) ? {} : asClaimed(claims));
  }
}

const asClaimed = ({ sub: id, name, email, role, level }: SessionClaims): SignedIn => ({
  user: { id, name, email, role: role as Role, level },
  expires: new Date(Date.now() + 60_000).toISOString(),
});
