import 'server-only';
import type { UserView } from '@/lib/contract/shapes/user';
import { may, type Role } from '@/lib/contract/words/roles';
import type { Db } from '@/lib/db/client';
import { viewUser } from './list-users';
import { endSessions } from './sessions/end-sessions';

type Change = {
  role?: Role;
  level?: number;
  bannedAt?: Date | null;
  secondFactorAt?: null;
  /** True: every session so far ends, and the caller must call `announceEndedSessions` after the commit. */
  endsSessions: boolean;
};

/**
 * Changes an account. A caller that decides by its present state must have locked it first (`lockUserAndAdmins`). If the user
 * is banned or may no longer manage users, withdraws their unused invitations: those would be a way back in.
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
  // After the account's row: all code that needs both locks takes them in this order.
  if (endsSessions) await endSessions(tx, userId);
  if (change.bannedAt || (change.role && !may(change.role, 'manageUsers')))
    await tx.invitation.updateMany({
      where: { invitedBy: userId, usedAt: null, withdrawnAt: null },
      data: { withdrawnAt: new Date() },
    });
  return viewUser(tx, row);
}
