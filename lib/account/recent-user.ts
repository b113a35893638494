import 'server-only';
import { LRUCache } from 'lru-cache';
import type { HeaderReader } from '@/lib/http/request-head';
import { sessionCookie, userOfSession } from './current-user';
import { isSessionEnded } from './sessions/is-session-ended';
import type { CurrentUser } from './types';

/** A session that ends is known to every process within this time; so nothing is believed for longer. */
const REMEMBERED_MS = 1_000;
const MOST = 20_000;

const remembered = new LRUCache<string, CurrentUser>({ max: MOST, ttl: REMEMBERED_MS });

/**
 * Returns the signed-in user of a request as of a second ago at most, or null. For the crowd before a start; code that
 * refuses a person because of the account asks `currentUser` first. A session that has ended counts as ended at once.
 */
export async function recentUser(headers: HeaderReader): Promise<CurrentUser | null> {
  const cookie = sessionCookie(headers);
  if (cookie === undefined) return null;
  const known = remembered.get(cookie);
  if (known && !isSessionEnded(known.session.id)) return known;
  const user = await userOfSession(cookie);
  if (user) rememberUser(cookie, user);
  return user;
}

/** Remembers the user of a session that was just read: a page that asks who is signed in enters a moment later. */
export const rememberUser = (cookie: string, user: CurrentUser): void =>
  void remembered.set(copyOf(cookie), user);

/** Part of a string keeps the whole in memory: here a request. */
const copyOf = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');
