import 'server-only';
import type { Db } from '@/lib/db/client';
import type { User } from '@/prisma/generated/client';
import { endSessions } from './sessions/end-sessions';

/**
 * Changes what an account is signed in to by, within a transaction, and ends its sessions, also those that begin at this
 * moment. After the commit the caller must call `announceEndedSessions`.
 * @param known the account as read before: if its sessions were ended since, nothing changes
 * @param keep the session that goes on, if any
 * @returns whether it was changed
 */
export async function changeWayIn(
  tx: Db,
  { id, sessionVersion }: Pick<User, 'id' | 'sessionVersion'>,
  data: Partial<
    Pick<User, 'email' | 'emailVerifiedAt' | 'mailRefusedAt' | 'passwordHash' | 'secondFactorAt'>
  >,
  keep?: string,
): Promise<boolean> {
  const changed = await tx.user.updateMany({
    where: { id, sessionVersion },
    data: { ...data, sessionVersion: { increment: 1 } },
  });
  if (changed.count !== 1) return false;
  // After the account's row: all code that needs both locks takes them in this order.
  await endSessions(tx, id, { except: keep });
  if (keep !== undefined)
    await tx.session.updateMany({
      where: { id: keep, userId: id, sessionVersion, endedAt: null },
      data: { sessionVersion: sessionVersion + 1 },
    });
  return true;
}
