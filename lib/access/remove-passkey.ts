import 'server-only';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import type { CurrentUser } from '@/lib/account/types';
import type { FactorRemoval } from '@/lib/contract/shapes/factor';
import { db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import type { Caller } from './caller';
import { lockOwner, markRemoved, recordFactor, unlessEnded } from './change-factors';
import { checkRemoval, type RemovalCheck } from './check-removal';
import { mailFactorChanged } from './mail-factor-changed';

type RemoveResult =
  | { status: 'removed' }
  /** The account has no such passkey. */
  | { status: 'not_found' }
  /** The session ended in the meantime. */
  | { status: 'signed_out' }
  | Exclude<RemovalCheck, { status: 'right' }>;

/**
 * Removes a passkey, for a caller who has the password and a factor, which may be that passkey; with the last factor the
 * recovery codes go too. Every other session of the account ends.
 * @throws connection errors. Then the factor may have been used
 */
export async function removePasskey(
  user: CurrentUser,
  passkeyId: string,
  { currentPassword, ...proof }: FactorRemoval,
  caller: Caller,
): Promise<RemoveResult> {
  const { userId } = user;
  const mine = { id: passkeyId, userId };
  if ((await db().passkey.count({ where: mine })) === 0) return { status: 'not_found' };
  const checked = await checkRemoval(user, currentPassword, proof, caller);
  if (checked.status !== 'right') return checked;
  const removed = await unlessEnded(
    transaction(async (tx) => {
      const owner = await lockOwner(tx, user);
      if (!owner) return { status: 'signed_out' as const };
      const { count } = await tx.passkey.deleteMany({ where: mine });
      if (count === 0) return { status: 'not_found' as const };
      await recordFactor(tx, user, 'user.remove_factor', { kind: 'passkey', passkeyId });
      return markRemoved(tx, user, owner);
    }),
  );
  if (removed.status !== 'removed') return removed;
  await announceEndedSessions();
  void mailFactorChanged({ ...user, id: userId }, removed.isLast ? 'factorRemoved' : 'passkeyRemoved');
  return { status: 'removed' };
}
