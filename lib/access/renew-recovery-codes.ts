import 'server-only';
import { replaceRecoveryCodes } from '@/lib/account/factors/recovery-codes';
import { lockOwner } from '@/lib/account/lock-owner';
import type { CurrentUser } from '@/lib/account/types';
import type { FactorProof } from '@/lib/contract/shapes/factor';
import { transaction } from '@/lib/db/transaction';
import { tellOwner } from '@/lib/notify/tell-owner';
import type { Caller } from './caller';
import { checkOwnFactor, type OwnFactorResult } from './check-factor';
import { recordFactor } from './record-factor';

type RenewResult =
  | { status: 'renewed'; recoveryCodes: string[] }
  /** The session ended in the meantime. */
  | { status: 'signed_out' }
  | Exclude<OwnFactorResult, { status: 'right' }>;

/**
 * Gives an account new recovery codes, by one of its second factors or one of the old codes.
 * @throws connection errors; then the factor may have been used
 */
export async function renewRecoveryCodes(
  user: CurrentUser,
  proof: FactorProof,
  caller: Caller,
): Promise<RenewResult> {
  const checked = await checkOwnFactor(user, proof, caller);
  if (checked.status !== 'right') return checked;
  const recoveryCodes = await transaction(async (tx) => {
    const owner = await lockOwner(tx, user);
    if (!owner) return null;
    const codes = await replaceRecoveryCodes(tx, user.userId);
    await recordFactor(tx, user, 'user.renew_recovery_codes');
    return codes;
  });
  if (!recoveryCodes) return { status: 'signed_out' };
  void tellOwner('recoveryCodesRenewed', user);
  return { status: 'renewed', recoveryCodes };
}
