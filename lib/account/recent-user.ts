import 'server-only';
import { LRUCache } from 'lru-cache';
import type { HeaderReader } from '@/lib/http/request-head';
import { sessionCookie, userOfSession } from './current-user';
import { areEndedSessionsKnownSince } from './sessions/ended-sessions';
import { isSessionEnded } from './sessions/is-session-ended';
import type { CurrentUser } from './types';

/** How long a user is believed while this process knows which sessions ended until a second ago. */
const REMEMBERED_MS = 10_000;
/** How long otherwise: a session that ends must be good for nothing after a second. */
const UNSURE_MS = 1_000;
const MOST = 50_000;

const remembered = new LRUCache<string, { user: CurrentUser; readAt: number }>({
  max: MOST,
  ttl: REMEMBERED_MS,
});

/**
 * Returns the signed-in user of a request as of ten seconds ago at most, or null. For the crowd before a start; whoever
 * refuses someone for what the account is asks `currentUser` first. A session that has ended counts as ended within a
 * second, in this process at once.
 */
export async function recentUser(headers: HeaderReader): Promise<CurrentUser | null> {
  const cookie = sessionCookie(headers);
  if (cookie === undefined) return null;
  const known = remembered.get(cookie);
  if (known && isStillGood(known)) return known.user;
  const user = await userOfSession(cookie);
  if (user) rememberUser(cookie, user);
  return user;
}

function isStillGood({ user, readAt }: { user: CurrentUser; readAt: number }): boolean {
  const isSure = areEndedSessionsKnownSince(UNSURE_MS) || performance.now() - readAt <= UNSURE_MS;
  return isSure && !isSessionEnded(user.session.id);
}

/** Remembers the user of a session that was just read: a page that asks who is signed in enters a moment later. */
export const rememberUser = (cookie: string, user: CurrentUser): void =>
  void remembered.set(copyOf(cookie), { user, readAt: performance.now() });

/** Part of a string keeps the whole in memory: here a request. */
const copyOf = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');
