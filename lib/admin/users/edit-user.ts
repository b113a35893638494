import 'server-only';
import { lockUser } from '@/lib/account/lock-user';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import { updateUser } from '@/lib/account/update-user';
import { changedFields } from '@/lib/audit/changed-fields';
import { recordAction } from '@/lib/audit/record-action';
import type { UserEdit, UserView } from '@/lib/contract/shapes/user';
import { transaction } from '@/lib/db/transaction';
import { openShop } from '@/lib/shop/open-shop';
import { type Actor, demand } from '../actor';
import type { UserResult } from './types';

/**
 * Changes an account's role, or the level it is given and its end. A new role ends its sessions, because pages show what
 * fits the role at sign-in. Who becomes a merchant has a shop. Admins can't change their own role, so that there is always
 * one.
 */
export async function editUser(
  actor: Actor,
  userId: string,
  { before, levelUntil, ...wanted }: UserEdit,
): Promise<UserResult> {
  demand(actor, 'manageUsers');
  const result = await transaction(async (tx): Promise<UserResult> => {
    const locked = await lockUser(tx, userId);
    if (!locked) return { status: 'not_found' };
    const { user, isLastAdmin } = locked;
    if (user.role !== before.role || user.level !== before.level) return { status: 'conflict', user };
    if (before.levelUntil !== undefined && user.levelUntil !== before.levelUntil)
      return { status: 'conflict', user };
    const isNewRole = wanted.role !== undefined && wanted.role !== user.role;
    if (isNewRole && userId === actor.userId) return { status: 'own_account' };
    if (isNewRole && isLastAdmin) return { status: 'last_admin' };
    const changed = await updateUser(tx, userId, {
      ...wanted,
      ...(levelUntil === undefined ? {} : { levelUntil: levelUntil === null ? null : new Date(levelUntil) }),
      endsSessions: isNewRole,
    });
    if (isNewRole && changed.role === 'merchant') await openShop(tx, changed);
    const standing = ({ role, level, levelUntil }: UserView) => ({ role, level, levelUntil });
    const fields = changedFields(standing(user), standing(changed));
    const subject = { kind: 'user', id: userId };
    if (fields) await recordAction(tx, actor, { action: 'user.edit', subject, ...fields });
    return { status: 'changed', user: changed };
  });
  await announceEndedSessions();
  return result;
}
