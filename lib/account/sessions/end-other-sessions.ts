import 'server-only';
import type { Db } from '@/lib/db/client';
import type { Prisma } from '@/prisma/generated/client';
import type { CurrentUser } from '../types';
import { endSessions } from './end-sessions';

/**
 * Changes an account and ends all its sessions but the one that asks, also those that begin at this moment, within a
 * transaction. After the commit the caller must call `announceEndedSessions`.
 * @param data what else changes. @param where what must still be so
 * @returns false: the account is banned, or is not so any more; then nothing has changed
 */
export async function endOtherSessions(
  tx: Db,
  { userId, session }: Pick<CurrentUser, 'userId' | 'session'>,
  { where, data = {} }: { where: Prisma.UserWhereInput; data?: Prisma.UserUpdateManyMutationInput },
): Promise<boolean> {
  const [row] = await tx.user.updateManyAndReturn({
    where: { ...where, id: userId, bannedAt: null },
    data: { ...data, sessionVersion: { increment: 1 } },
    select: { sessionVersion: true },
  });
  if (!row) return false;
  await endSessions(tx, userId, { except: session.id });
  await tx.session.updateMany({
    where: { id: session.id, endedAt: null },
    data: { sessionVersion: row.sessionVersion },
  });
  return true;
}
