import 'server-only';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import type { CurrentUser } from '@/lib/account/types';
import type { FactorRemoval } from '@/lib/contract/shapes/factor';
import { transaction } from '@/lib/db/transaction';
import type { Caller } from './caller';
import { lockOwner, markRemoved, recordFactor, unlessEnded } from './change-factors';
import { checkRemoval, type RemovalCheck } from './check-removal';
import { mailFactorChanged } from './mail-factor-changed';

type RemoveResult =
  | { status: 'removed' }
  /** The session ended in the meantime, or the factor was removed. */
  | { status: 'signed_out' }
  | Exclude<RemovalCheck, { status: 'right' }>;

/**
 * Removes the app for one-time codes, for a caller who has the password and a factor; without a passkey the recovery codes
 * go too. Every other session of the account ends.
 * @throws connection errors. Then the factor may have been used
 */
export async function removeTotp(
  user: CurrentUser,
  { currentPassword, ...proof }: FactorRemoval,
  caller: Caller,
): Promise<RemoveResult> {
  const { userId } = user;
  const checked = await checkRemoval(user, currentPassword, proof, caller);
  if (checked.status !== 'right') return checked;
  const removed = await unlessEnded(
    transaction(async (tx) => {
      const owner = await lockOwner(tx, user);
      if (!owner) return { status: 'signed_out' as const };
      const { count } = await tx.totpFactor.deleteMany({ where: { userId } });
      if (count === 0) return { status: 'signed_out' as const };
      await recordFactor(tx, user, 'user.remove_factor', { kind: 'totp' });
      return markRemoved(tx, user, owner);
    }),
  );
  if (removed.status !== 'removed') return removed;
  await announceEndedSessions();
  void mailFactorChanged({ ...user, id: userId }, removed.isLast ? 'factorRemoved' : 'appRemoved');
  return { status: 'removed' };
}
