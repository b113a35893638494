import 'server-only';
import { z } from 'zod';
import { lockUser } from '@/lib/account/lock-user';
import { ROLES } from '@/lib/account/roles';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import { updateUser } from '@/lib/account/update-user';
import { changedFields } from '@/lib/audit/changed-fields';
import { recordAction } from '@/lib/audit/record-action';
import { transaction } from '@/lib/db/transaction';
import { type Actor, demand } from '../actor';
import type { UserResult } from './types';

const role = z.enum(ROLES);
/** As sales ask for it. */
const level = z.number().int().min(0).max(1_000);

export const editUserSchema = z.strictObject({
  role: role.optional(),
  level: level.optional(),
  /** As last seen; if it is otherwise by now, nothing is changed. */
  before: z.strictObject({ role, level: z.number().int() }),
});

/**
 * Gives an account another role or level. A new role ends its sessions: what a browser shows goes with who signed in. Admins
 * keep their own role, so that there is always one.
 */
export async function editUser(
  actor: Actor,
  userId: string,
  { before, ...wanted }: z.output<typeof editUserSchema>,
): Promise<UserResult> {
  demand(actor, 'manageUsers');
  const result = await transaction(async (tx): Promise<UserResult> => {
    const locked = await lockUser(tx, userId);
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
