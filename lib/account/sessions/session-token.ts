import { decode, encode } from 'next-auth/jwt';
import { env } from '@/lib/env';
import { LONGEST_SESSION_SEC } from './lifetimes';

/** Browsers don't keep longer cookies. */
const MAX_COOKIE_LENGTH = 4_096;

/**
 * What a session cookie says. The user and the session count. The rest is only shown while the database can't be
 * asked, and decides nothing: every request reads afresh who the user is and what they may do.
 */
export type SessionClaims = {
  sub: string;
  sid: string;
  email: string;
  name: string;
  role: string;
  level: number;
};

/** Returns the session cookie's name. If we are served over HTTPS, `__Host-` binds the cookie to this host and to HTTPS. */
export const sessionCookieName = (): string =>
  env().isHttps ? '__Host-next-auth.session-token' : 'next-auth.session-token';

/** Makes a `Set-Cookie` header that makes a browser forget its session. */
export const forgetSessionCookie = (): string =>
  `${sessionCookieName()}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${env().isHttps ? '; Secure' : ''}`;

/** Makes the claims that a session cookie carries about a user. */
export const claimsOf = (
  user: { id: string; email: string; name: string; role: string; level: number },
  sessionId: string,
): SessionClaims => {
  const { id, email, name, role, level } = user;
  return { sub: id, sid: sessionId, email, name, role, level };
};

/** Makes the cookie's value, as a sign-in through NextAuth does. */
export const signSession = (claims: SessionClaims): Promise<string> =>
  encode({ token: claims, secret: env().nextAuthSecret, maxAge: LONGEST_SESSION_SEC });

/** Reads a session cookie. Null if it is not ours, was altered, or is older than session ids. */
export async function readSessionToken(cookie: string | undefined): Promise<SessionClaims | null> {
  if (!cookie || cookie.length > MAX_COOKIE_LENGTH) return null;
  const token = await decode({ token: cookie, secret: env().nextAuthSecret }).catch(() => null);
  return typeof token?.sub === 'string' && typeof token.sid === 'string'
    ? (token as unknown as SessionClaims)
    : null;
}
