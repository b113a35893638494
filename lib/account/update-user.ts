import 'server-only';
import type { Db } from '@/lib/db/client';
import { toUserView, type UserView } from './list-users';
import type { Role } from './roles';
import { endSessions } from './sessions/end-sessions';

type Change = {
  role?: Role;
  level?: number;
  bannedAt?: Date | null;
  /** Every session made so far ends; whoever commits that calls `announceEndedSessions` next. */
  endsSessions: boolean;
};

/** Changes an account. Whoever decides by what it is has locked it before (`lockUser`). */
export async function updateUser(
  tx: Db,
  userId: string,
  { endsSessions, ...change }: Change,
): Promise<UserView> {
  const row = await tx.user.update({
    where: { id: userId },
    data: { ...change, ...(endsSessions ? { sessionVersion: { increment: 1 } } : {}) },
    omit: { passwordHash: true },
  });
  // After the account's row: whoever needs both locks takes them in this order.
  if (endsSessions) await endSessions(tx, userId);
  return toUserView(row);
}
