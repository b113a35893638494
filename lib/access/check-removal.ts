import 'server-only';
import type { CurrentUser } from '@/lib/account/types';
import type { FactorProof } from '@/lib/contract/shapes/factor';
import { type Caller, countedOf } from './caller';
import { checkFactor, type FactorResult } from './check-factor';
import { checkPassword, type PasswordResult } from './check-password';
import { readChallenge } from './passkey-cookie';

export type RemovalCheck =
  | { status: 'right' }
  /** The password is right; the code, or what the passkey answered, is not. */
  | { status: 'factor_wrong' }
  | Exclude<FactorResult, { status: 'right' | 'wrong' }>
  | Exclude<PasswordResult, { status: 'right' }>;

/**
 * Checks the password and a factor of a session's account, both of which a factor's removal asks for.
 * @throws connection errors. Then the factor may have been used
 */
export async function checkRemoval(
  { userId, email, session }: CurrentUser,
  currentPassword: string,
  proof: FactorProof,
  caller: Caller,
): Promise<RemovalCheck> {
  const who = { email, address: countedOf(caller), knownAs: `session ${session.id}` };
  const password = await checkPassword(who, currentPassword, caller);
  if (password.status !== 'right') return password;
  const challenge = readChallenge(caller.headers.get('cookie'), 'session', session.id);
  const checked = await checkFactor(userId, proof, { bringer: { from: 'session' }, challenge }, caller);
  return checked.status === 'wrong' ? { status: 'factor_wrong' } : checked;
}
