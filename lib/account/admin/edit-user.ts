import 'server-only';
import { lockUserAndAdmins } from '@/lib/account/lock-user';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import { updateUser } from '@/lib/account/update-user';
import { type Actor, demand } from '@/lib/actor/actor';
import { changedFields } from '@/lib/audit/changed-fields';
import { recordAction } from '@/lib/audit/record-action';
import type { UserEdit } from '@/lib/contract/shapes/user';
import { transaction } from '@/lib/db/transaction';
import type { UserResult } from './types';

/**
 * Changes an account's role or level. A new role ends its sessions, because pages show what fits the role at sign-in.
 * Admins can't change their own role, so that there is always one.
 */
export async function editUser(
  actor: Actor,
  userId: string,
  { before, ...wanted }: UserEdit,
): Promise<UserResult> {
  demand(actor, 'manageUsers');
  const result = await transaction(async (tx): Promise<UserResult> => {
    const locked = await lockUserAndAdmins(tx, userId);
    if (!locked) return { status: 'not_found' };
    const { user, isLastAdmin } = locked;
    if (user.role !== before.role || user.level !== before.level) return { status: 'conflict', user };
    const isNewRole = wanted.role !== undefined && wanted.role !== user.role;
    if (isNewRole && userId === actor.userId) return { status: 'own_account' };
    if (isNewRole && isLastAdmin) return { status: 'last_admin' };
    const changed = await updateUser(tx, userId, { ...wanted, endsSessions: isNewRole });
    const fields = changedFields(before, { role: changed.role, level: changed.level });
    const subject = { kind: 'user', id: userId };
    if (fields) await recordAction(tx, actor, { action: 'user.edit', subject, ...fields });
    return { status: 'changed', user: changed };
  });
  await announceEndedSessions();
  return result;
}
