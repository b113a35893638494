import { decode, encode } from 'next-auth/jwt';
import { env } from '@/lib/env';
import { LONGEST_SESSION_SEC } from './lifetimes';

/** Browsers keep no longer ones. */
const MAX_COOKIE_LENGTH = 4_096;

/**
 * What a session cookie says: whose it is and which session. The rest is shown where the database can't be asked, and decides
 * nothing: who somebody is and may do is read anew at every request.
 */
export type SessionClaims = {
  sub: string;
  sid: string;
  email: string;
  name: string;
  role: string;
  level: number;
};

/** The session cookie's name; `__Host-` binds it to this host and to HTTPS wherever we are served over HTTPS. */
export const sessionCookieName = (): string =>
  env().isHttps ? '__Host-next-auth.session-token' : 'next-auth.session-token';

/** A `Set-Cookie` header by which a browser forgets its session. */
export const forgetSessionCookie = (): string =>
  `${sessionCookieName()}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${env().isHttps ? '; Secure' : ''}`;

/** What a session cookie says of somebody. */
export const claimsOf = (
  user: { id: string; email: string; name: string; role: string; level: number },
  sessionId: string,
): SessionClaims => {
  const { id, email, name, role, level } = user;
  return { sub: id, sid: sessionId, email, name, role, level };
};

/** The cookie's value, as signing in through NextAuth makes it. */
export const signSession = (claims: SessionClaims): Promise<string> =>
  encode({ token: claims, secret: env().nextAuthSecret, maxAge: LONGEST_SESSION_SEC });

/** What a cookie of ours says; null if it is none, was altered, or is from before sessions had ids. */
export async function readSessionToken(cookie: string | undefined): Promise<SessionClaims | null> {
  if (!cookie || cookie.length > MAX_COOKIE_LENGTH) return null;
  const token = await decode({ token: cookie, secret: env().nextAuthSecret }).catch(() => null);
  return typeof token?.sub === 'string' && typeof token.sid === 'string'
    ? (token as unknown as SessionClaims)
    : null;
}
