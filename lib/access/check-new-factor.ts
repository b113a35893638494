import 'server-only';
import type { CurrentUser } from '@/lib/account/types';
import type { OwnerProof } from '@/lib/contract/shapes/factor';
import type { Caller } from './caller';
import { checkOwner, type OwnerResult } from './check-owner';

export type NewFactorResult =
  | OwnerResult
  /** A demo account: its password is public, and nobody may lock the others out. */
  | { status: 'demo_account' }
  /** The address may belong to another person, who would find this way in open, or be asked for this factor. */
  | { status: 'unverified' };

/**
 * Checks that a session's owner asks, and that the account may get another second factor. Staff may have an unverified
 * address, because a link has invited them.
 * @throws connection errors; then the factor may have been used
 */
export async function checkNewFactor(
  user: CurrentUser,
  proof: OwnerProof,
  caller: Caller,
): Promise<NewFactorResult> {
  // A refused factor must cost no recovery code.
  if (user.role === 'shopper' && user.emailVerifiedAt === null) return { status: 'unverified' };
  const checked = await checkOwner(user, proof, caller);
  return checked.status === 'right' && checked.user.isDemo ? { status: 'demo_account' } : checked;
}
