import 'server-only';
import { changeWayIn } from '@/lib/account/change-way-in';
import { nameOfServer } from '@/lib/account/identities/list-identities';
import { lockOwner } from '@/lib/account/lock-owner';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import type { CurrentUser } from '@/lib/account/types';
import { recordAction } from '@/lib/audit/record-action';
import type { OwnerProof } from '@/lib/contract/shapes/factor';
import { db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { tellOwner } from '@/lib/notify/tell-owner';
import type { Caller } from './caller';
import { checkOwner, type OwnerResult } from './check-owner';

type RemoveResult =
  | { status: 'removed' }
  | { status: 'not_found' }
  /** The session ended in the meantime. */
  | { status: 'signed_out' };

/**
 * Removes a sign-in server from an account, by the password and any second factor: so another way in is left. All other
 * sessions end, and the owner is told by mail.
 * @throws connection errors; then the second factor may have been used
 */
export async function removeIdentity(
  user: CurrentUser,
  identityId: string,
  proof: OwnerProof,
  caller: Caller,
): Promise<RemoveResult | Exclude<OwnerResult, { status: 'right' }>> {
  const { userId, role } = user;
  const where = { id: identityId, userId };
  const identity = await db().identity.findFirst({ where });
  if (!identity) return { status: 'not_found' };
  const checked = await checkOwner(user, proof, caller);
  if (checked.status !== 'right') return checked;
  const { issuer } = identity;
  const result = await transaction(async (tx): Promise<RemoveResult> => {
    const owner = await lockOwner(tx, user);
    // Another version: the password that was checked may be void.
    if (owner?.sessionVersion !== checked.user.sessionVersion) return { status: 'signed_out' };
    if ((await tx.identity.deleteMany({ where })).count !== 1) return { status: 'not_found' };
    await changeWayIn(tx, owner, {}, user.session.id);
    await recordAction(
      tx,
      { userId, role },
      {
        action: 'user.remove_identity',
        subject: { kind: 'user', id: userId },
        before: { issuer },
        after: null,
      },
    );
    return { status: 'removed' };
  });
  if (result.status !== 'removed') return result;
  await announceEndedSessions();
  void tellOwner('identityRemoved', user, { name: nameOfServer(issuer) });
  return result;
}
