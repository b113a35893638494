import 'server-only';
import { sessionCookie } from '@/lib/account/current-user';
import { rememberUser } from '@/lib/account/recent-user';
import { isSessionEnded } from '@/lib/account/sessions/is-session-ended';
import { readSession } from '@/lib/account/sessions/read-session';
import { readSessionToken } from '@/lib/account/sessions/session-token';
import type { SessionUser } from '@/lib/contract/shapes/account';
import type { Role } from '@/lib/contract/words/roles';
import { isOutage } from '@/lib/errors/is-outage';
import type { HeaderReader } from '@/lib/http/request-head';
import { lacksFactor } from '@/lib/lacks-factor';

/** How long a page may believe what only the cookie says, ms. */
const CLAIMED_FOR_MS = 60_000;

type SignedIn = {
  user: SessionUser;
  /** Epoch ms. */
  expiresAt: number;
};

/**
 * Returns whom a page shows as signed in, or null. While the database can't be reached it believes the cookie: that
 * only shows a name and gives no rights.
 */
export async function findSignedIn(headers: HeaderReader): Promise<SignedIn | null> {
  const cookie = sessionCookie(headers);
  const claims = await readSessionToken(cookie);
  if (cookie === undefined || !claims) return null;
  try {
    const user = await readSession(claims);
    if (!user) return null;
    rememberUser(cookie, user);
    const { userId: id, email, name, role, level, session } = user;
    const needs = lacksFactor(user) ? { needsFactor: true as const } : {};
    return { user: { id, name, email, role, level, ...needs }, expiresAt: session.expiresAt };
  } catch (error) {
    if (!isOutage(error)) throw error;
    if (isSessionEnded(claims.sid)) return null;
    const { sub: id, name, email, role, level } = claims;
    return { user: { id, name, email, role: role as Role, level }, expiresAt: Date.now() + CLAIMED_FOR_MS };
  }
}
