import 'server-only';
import type { SessionView } from '@/lib/contract/shapes/account';
import type { Role } from '@/lib/contract/words/roles';
import { db } from '@/lib/db/client';
import { lifetimeOf } from './lifetimes';
import { MAX_SESSIONS } from './start-session';

/** Lists the sessions in which an account is signed in now, latest used first; 100 at most. */
export async function listSessions(userId: string, current: string): Promise<SessionView[]> {
  const user = await db().user.findUniqueOrThrow({
    where: { id: userId },
    select: { role: true, sessionVersion: true },
  });
  const now = Date.now();
  const idleSince = new Date(now - lifetimeOf(user.role as Role).idleMs);
  const rows = await db().session.findMany({
    where: {
      userId,
      endedAt: null,
      sessionVersion: user.sessionVersion,
      expiresAt: { gt: new Date(now) },
      lastSeenAt: { gt: idleSince },
    },
    orderBy: [{ lastSeenAt: 'desc' }, { createdAt: 'desc' }],
    take: MAX_SESSIONS,
  });
  return rows.map(({ id, browser, createdAt, lastSeenAt, expiresAt }) => ({
    sessionId: id,
    browser,
    isCurrent: id === current,
    createdAt: createdAt.getTime(),
    lastSeenAt: lastSeenAt.getTime(),
    expiresAt: expiresAt.getTime(),
  }));
}
