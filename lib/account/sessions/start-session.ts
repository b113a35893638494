import 'server-only';
import type { Role } from '@/lib/contract/words/roles';
import { keptQuery } from '@/lib/db/kept-query';
import { transaction } from '@/lib/db/transaction';
import { cutText } from '@/lib/human-text';
import { randomText } from '@/lib/ids/new-id';
import { endSessions } from './end-sessions';
import { announceEndedSessions } from './ended-sessions';
import { lifetimeOf } from './lifetimes';

/** 100 random bits. It is short because it is part of every entry token. */
const ID_LENGTH = 20;
/** Sessions per account. One more sign-in ends the session that was used longest ago. */
export const MAX_SESSIONS = 100;
const MAX_BROWSER_LENGTH = 60;

/**
 * Begins a session for a user who has just proved who they are.
 * @param user as read before the password was checked: if its sessions were ended since, the new one has ended too
 * @param browser for the list the owner sees; at most 60 characters are kept
 * @returns its id
 */
export async function startSession(
  user: { id: string; role: string; sessionVersion: number },
  browser = '',
): Promise<string> {
  const sessionId = randomText(ID_LENGTH);
  const { id: userId, sessionVersion } = user;
  const expiresAt = new Date(Date.now() + lifetimeOf(user.role as Role).absoluteMs);
  const kept = cutText(browser, MAX_BROWSER_LENGTH);
  // One statement of the driver's: a crowd signs in at once. It does not see its own row.
  const [before] = await keptQuery<{ live: number }>`
    WITH made AS (
      INSERT INTO sessions (id, user_id, session_version, browser, expires_at)
      VALUES (${sessionId}, ${userId}, ${sessionVersion}, ${kept}, ${expiresAt}))
    SELECT count(*)::int AS live FROM sessions WHERE user_id = ${userId} AND ended_at IS NULL`;
  if ((before?.live ?? 0) >= MAX_SESSIONS) await endOldest(userId);
  return sessionId;
}

async function endOldest(userId: string): Promise<void> {
  await transaction(async (tx) => {
    const live = await tx.session.findMany({
      where: { userId, endedAt: null },
      orderBy: [{ lastSeenAt: 'desc' }, { createdAt: 'desc' }],
      skip: MAX_SESSIONS,
      select: { id: true },
    });
    await endSessions(tx, userId, { only: live.map(({ id }) => id) });
  });
  await announceEndedSessions();
}
