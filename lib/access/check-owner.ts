import 'server-only';
import type { CurrentUser } from '@/lib/account/types';
import type { OwnerProof } from '@/lib/contract/shapes/factor';
import type { User } from '@/prisma/generated/client';
import type { Caller } from './caller';
import { checkOwnFactor, type OwnFactorResult } from './check-factor';
import { checkOwnPassword, type OwnPasswordResult } from './check-password';

export type OwnerResult =
  | { status: 'right'; user: User }
  | Exclude<OwnPasswordResult | OwnFactorResult, { status: 'right' }>;

/**
 * Checks that a session's owner asks: by the password and, where the account has a second factor, by that one too. The app
 * may be on the same stolen phone as the session.
 * @throws connection errors; then the factor may have been used
 */
export async function checkOwner(
  user: CurrentUser,
  { currentPassword, ...proof }: OwnerProof,
  caller: Caller,
): Promise<OwnerResult> {
  const checked = await checkOwnPassword(user, currentPassword, caller);
  if (checked.status !== 'right' || !checked.user.secondFactorAt) return checked;
  const factor = await checkOwnFactor(user, proof, caller);
  return factor.status === 'right' ? checked : factor;
}
