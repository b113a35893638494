import 'server-only';
import { deleteFactors } from '@/lib/account/factors/delete-factors';
import { lockUserAndAdmins } from '@/lib/account/lock-user';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import { updateUser } from '@/lib/account/update-user';
import { type Actor, demand } from '@/lib/actor/actor';
import { recordAction } from '@/lib/audit/record-action';
import { db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { tellOwner } from '@/lib/notify/tell-owner';
import type { UserResult } from './types';

/**
 * Removes the second factor that an account's owner has lost, so that the password alone signs in again. Ends all its
 * sessions and tells the owner by mail. Admins can't remove their own: on their account's page that takes a code. Again
 * changes nothing.
 */
export async function removeFactors(actor: Actor, userId: string): Promise<UserResult> {
  demand(actor, 'manageUsers');
  if (userId === actor.userId) return { status: 'own_account' };
  const result = await transaction(async (tx): Promise<UserResult & { isNew?: true }> => {
    const locked = await lockUserAndAdmins(tx, userId);
    if (!locked) return { status: 'not_found' };
    const { secondFactorAt } = locked.user;
    if (secondFactorAt === null) return { status: 'changed', user: locked.user };
    await deleteFactors(tx, userId);
    const user = await updateUser(tx, userId, { secondFactorAt: null, endsSessions: true });
    await recordAction(tx, actor, {
      action: 'user.remove_factors',
      subject: { kind: 'user', id: userId },
      before: { secondFactorAt },
      after: { secondFactorAt: null },
    });
    return { status: 'changed', user, isNew: true };
  });
  const { isNew, ...known } = result;
  if (!isNew) return known;
  await announceEndedSessions();
  const { email, locale } = await db().user.findUniqueOrThrow({ where: { id: userId } });
  void tellOwner('factorRemoved', { userId, email, locale });
  return known;
}
