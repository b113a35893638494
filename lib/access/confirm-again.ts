import 'server-only';
import type { CurrentUser } from '@/lib/account/types';
import type { Confirmation } from '@/lib/contract/shapes/factor';
import { db } from '@/lib/db/client';
import { type Caller, countedOf } from './caller';
import { checkFactor, type FactorResult } from './check-factor';
import { checkPassword, type PasswordResult } from './check-password';
import { readChallenge } from './passkey-cookie';

type ConfirmResult =
  | { status: 'confirmed' }
  /** The code, or what the passkey answered. */
  | { status: 'factor_wrong' }
  /** The account has a factor: its password alone shows nothing. */
  | { status: 'factor_needed' }
  /** The session ended in the meantime. */
  | { status: 'signed_out' }
  | Exclude<FactorResult, { status: 'right' | 'wrong' }>
  | Exclude<PasswordResult, { status: 'right' }>;

/**
 * Notes in a session that its owner has shown who they are, by a factor, or by the password if the account has
 * none: whoever only finds it open, or knows the password besides, can do nothing dangerous.
 * @throws connection errors. Then the factor may have been used
 */
export async function confirmAgain(
  { userId, email, hasSecondFactor, session }: CurrentUser,
  { currentPassword, ...proof }: Confirmation,
  caller: Caller,
): Promise<ConfirmResult> {
  if (currentPassword !== undefined) {
    if (hasSecondFactor) return { status: 'factor_needed' };
    const who = { email, address: countedOf(caller), knownAs: `session ${session.id}` };
    const checked = await checkPassword(who, currentPassword, caller);
    if (checked.status !== 'right') return checked;
  } else {
    const challenge = readChallenge(caller.headers.get('cookie'), 'session', session.id);
    const checked = await checkFactor(userId, proof, { bringer: { from: 'session' }, challenge }, caller);
    if (checked.status === 'wrong') return { status: 'factor_wrong' };
    if (checked.status !== 'right') return checked;
  }
  const noted = await db().session.updateMany({
    where: { id: session.id, endedAt: null },
    data: { confirmedAt: new Date() },
  });
  return { status: noted.count === 1 ? 'confirmed' : 'signed_out' };
}
