import 'server-only';
import { changeWayIn } from '@/lib/account/change-way-in';
import { deleteFactors } from '@/lib/account/factors/delete-factors';
import { lockOwner } from '@/lib/account/lock-owner';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import type { CurrentUser } from '@/lib/account/types';
import type { FactorRemoval } from '@/lib/contract/shapes/factor';
import { transaction } from '@/lib/db/transaction';
import { tellOwner } from '@/lib/notify/tell-owner';
import type { Caller } from './caller';
import { checkOwnFactor, type OwnFactorResult } from './check-factor';
import { checkOwnPassword, type PasswordResult } from './check-password';
import { recordFactor } from './record-factor';

type RemoveResult =
  | { status: 'removed' }
  /** The session ended in the meantime. */
  | { status: 'signed_out' }
  | Exclude<OwnFactorResult, { status: 'right' }>
  | Exclude<PasswordResult, { status: 'right' }>;

/**
 * Removes an account's app for one-time codes and its recovery codes, by the password and a code: the app may be on the
 * same stolen phone as the session. All other sessions end.
 * @throws connection errors; then the code may have been used
 */
export async function removeTotp(
  user: CurrentUser,
  { currentPassword, code }: FactorRemoval,
  caller: Caller,
): Promise<RemoveResult> {
  const { userId, session } = user;
  const password = await checkOwnPassword(user, currentPassword, caller);
  if (password.status !== 'right') return password;
  const factor = await checkOwnFactor(user, code, caller);
  if (factor.status !== 'right') return factor;
  const isRemoved = await transaction(async (tx) => {
    const owner = await lockOwner(tx, user);
    if (!owner) return false;
    await deleteFactors(tx, userId);
    await changeWayIn(tx, owner, { secondFactorAt: null }, session.id);
    await recordFactor(tx, user, 'user.remove_factor');
    return true;
  });
  if (!isRemoved) return { status: 'signed_out' };
  await announceEndedSessions();
  void tellOwner('factorRemoved', user);
  return { status: 'removed' };
}
