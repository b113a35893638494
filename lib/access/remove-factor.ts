import 'server-only';
import { changeWayIn } from '@/lib/account/change-way-in';
import { deleteLeftovers } from '@/lib/account/factors/delete-leftovers';
import { lockOwner } from '@/lib/account/lock-owner';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import type { CurrentUser } from '@/lib/account/types';
import type { OwnerProof } from '@/lib/contract/shapes/factor';
import type { Db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { tellOwner } from '@/lib/notify/tell-owner';
import type { Caller } from './caller';
import { checkOwner, type OwnerResult } from './check-owner';
import { recordFactor } from './record-factor';

/** The app for one-time codes, or a passkey's id. */
type Factor = { kind: 'totp' } | { kind: 'passkey'; passkeyId: string };

type Removed =
  /** `isLast`: the password alone signs in again. */
  | { status: 'removed'; isLast: boolean }
  /** The account has no such factor. */
  | { status: 'not_found' }
  /** The session ended in the meantime. */
  | { status: 'signed_out' };

export type RemoveResult = Removed | Exclude<OwnerResult, { status: 'right' }>;

/**
 * Removes a second factor of an account, by the password and any second factor, which may be this one. The recovery codes
 * go with the last one. All other sessions end.
 * @throws connection errors; then the factor may have been used
 */
export async function removeFactor(
  user: CurrentUser,
  factor: Factor,
  proof: OwnerProof,
  caller: Caller,
): Promise<RemoveResult> {
  const checked = await checkOwner(user, proof, caller);
  if (checked.status !== 'right') return checked;
  const result = await transaction((tx) => remove(tx, user, factor));
  if (result.status !== 'removed') return result;
  await announceEndedSessions();
  const mail = factor.kind === 'passkey' ? 'passkeyRemoved' : 'appRemoved';
  void tellOwner(result.isLast ? 'factorRemoved' : mail, user);
  return result;
}

async function remove(tx: Db, user: CurrentUser, factor: Factor): Promise<Removed> {
  const { userId, session } = user;
  const owner = await lockOwner(tx, user);
  if (!owner) return { status: 'signed_out' };
  const removed =
    factor.kind === 'passkey'
      ? await tx.passkey.deleteMany({ where: { id: factor.passkeyId, userId } })
      : await tx.totpFactor.deleteMany({ where: { userId, confirmedAt: { not: null } } });
  if (removed.count === 0) return { status: 'not_found' };
  const isLast = await deleteLeftovers(tx, userId);
  await changeWayIn(tx, owner, isLast ? { secondFactorAt: null } : {}, session.id);
  await recordFactor(tx, user, 'user.remove_factor');
  return { status: 'removed', isLast };
}
