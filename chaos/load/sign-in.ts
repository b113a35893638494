import { encode } from 'next-auth/jwt';
import { sessionCookieName } from '@/lib/account/auth-options';
import type { Role } from '@/lib/account/roles';
import { env } from '@/lib/env';

/** The session cookie of a user who has signed in, without asking for it: hashing passwords is not what is tested. */
export async function sessionCookie(userId: string, role: Role = 'shopper'): Promise<string> {
  const token = await encode({ token: { sub: userId, role, level: 0, sv: 0 }, secret: env().nextAuthSecret });
  return `${sessionCookieName()}=${token}`;
}

/** The headers of a signed-in user's own request to `origin`. */
export const ownHeaders = (cookie: string, origin: string): Record<string, string> => ({
  cookie,
  origin,
  'content-type': 'application/json',
});
