import 'server-only';
import { mailFactorChanged } from '@/lib/access/mail-factor-changed';
import { deleteFactors } from '@/lib/account/factors/delete-factors';
import { lockUser } from '@/lib/account/lock-user';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import { updateUser } from '@/lib/account/update-user';
import { recordAction } from '@/lib/audit/record-action';
import { db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { type Actor, demand } from '../actor';
import type { UserResult } from './types';

/**
 * Removes all second factors of somebody who has lost theirs, so that the password alone signs in again. Signs the account
 * out everywhere and tells its owner by mail. Admins remove their own on the page of their account, where it takes a factor.
 */
export async function removeFactors(actor: Actor, userId: string): Promise<UserResult> {
  demand(actor, 'manageUsers');
  const result = await transaction(async (tx): Promise<UserResult> => {
    const locked = await lockUser(tx, userId);
    if (!locked) return { status: 'not_found' };
    if (userId === actor.userId) return { status: 'own_account' };
    if (!locked.user.hasSecondFactor) return { status: 'changed', user: locked.user };
    await deleteFactors(tx, userId);
    const user = await updateUser(tx, userId, { secondFactorAt: null, endsSessions: true });
    await recordAction(tx, actor, {
      action: 'user.remove_factor',
      subject: { kind: 'user', id: userId },
      before: { kind: 'all' },
      after: null,
    });
    return { status: 'changed', user };
  });
  if (result.status !== 'changed') return result;
  await announceEndedSessions();
  const owner = await db().user.findUniqueOrThrow({ where: { id: userId } });
  void mailFactorChanged(owner, 'factorRemoved');
  return result;
}
