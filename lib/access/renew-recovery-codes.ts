import 'server-only';
import { replaceRecoveryCodes } from '@/lib/account/factors/recovery-codes';
import type { CurrentUser } from '@/lib/account/types';
import type { FactorProof } from '@/lib/contract/shapes/factor';
import { transaction } from '@/lib/db/transaction';
import type { Caller } from './caller';
import { recordFactor } from './change-factors';
import { checkFactor, type FactorResult } from './check-factor';
import { mailFactorChanged } from './mail-factor-changed';
import { readChallenge } from './passkey-cookie';

type RenewResult =
  | { status: 'renewed'; recoveryCodes: string[] }
  | Exclude<FactorResult, { status: 'right' }>;

/**
 * Gives an account new recovery codes for a code of its app, for the last of the old ones, or for what a passkey of
 * the account answers.
 * @throws connection errors. Then the code may have been used
 */
export async function renewRecoveryCodes(
  user: CurrentUser,
  proof: FactorProof,
  caller: Caller,
): Promise<RenewResult> {
  const { userId, session } = user;
  const challenge = readChallenge(caller.headers.get('cookie'), 'session', session.id);
  const checked = await checkFactor(userId, proof, { bringer: { from: 'session' }, challenge }, caller);
  if (checked.status !== 'right') return checked;
  const recoveryCodes = await transaction(async (tx) => {
    // Locks the account: whoever removes the factor at this moment leaves no codes behind.
    const locked = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM users WHERE id = ${userId} AND second_factor_at IS NOT NULL FOR NO KEY UPDATE`;
    if (locked.length !== 1) return null;
    const codes = await replaceRecoveryCodes(tx, userId);
    await recordFactor(tx, user, 'user.renew_recovery_codes');
    return codes;
  });
  if (!recoveryCodes) return { status: 'wrong' };
  void mailFactorChanged({ ...user, id: userId }, 'recoveryCodesRenewed');
  return { status: 'renewed', recoveryCodes };
}
