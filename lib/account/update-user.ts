import 'server-only';
import type { UserView } from '@/lib/contract/shapes/user';
import { may, type Role } from '@/lib/contract/words/roles';
import type { Db } from '@/lib/db/client';
import { toUserView } from './list-users';
import { endSessions } from './sessions/end-sessions';

type Change = {
  role?: Role;
  level?: number;
  bannedAt?: Date | null;
  /** Every session made so far ends; whoever commits that calls `announceEndedSessions` next. */
  endsSessions: boolean;
};

/**
 * Changes an account. Whoever decides by what it is has locked it before (`lockUser`). Withdraws the unused invitations of
 * somebody who is banned or may no longer manage users: they would be a way back in.
 */
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
  if (change.bannedAt || (change.role && !may(change.role, 'manageUsers')))
    await tx.invitation.updateMany({
      where: { invitedBy: userId, usedAt: null, withdrawnAt: null },
      data: { withdrawnAt: new Date() },
    });
  return toUserView(row);
}
