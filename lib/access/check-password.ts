import 'server-only';
import { type CredentialsResult, checkCredentials } from '@/lib/account/check-credentials';
import { TooManyHashesError } from '@/lib/account/hash-password';
import { countSignIn } from '@/lib/metrics/sign-in-meter';
import { noteEvent } from '@/lib/security/note-event';
import { claimTry, settleTry } from '@/lib/tries/claim-try';
import type { User } from '@/prisma/generated/client';
import type { Caller } from './caller';
import { ACCOUNT_GAUGE, ATTACKED_FROM, type SignInTry, signInCounters } from './sign-in-limits';

export type PasswordResult =
  | { status: 'right'; user: User }
  | { status: 'wrong' }
  /** Too many failures: nothing was tried. */
  | { status: 'limited'; waitMs: number }
  /** Too many passwords are being checked: nothing was tried. */
  | { status: 'busy' };

/**
 * Checks the password of an account wherever one is asked for. Failures cost growing waits, by subject (`signInCounters`); a
 * try that is refused costs no hash, and the right password forgets the failures of who gave it.
 * @param who who tries; `email` in small letters
 * @throws connection errors
 */
export async function checkPassword(
  who: SignInTry,
  password: string,
  { address }: Pick<Caller, 'address'>,
): Promise<PasswordResult> {
  const claimed = await claimTry(signInCounters(who));
  if (claimed.status === 'wait') {
    countSignIn('limited');
    return { status: 'limited', waitMs: claimed.waitMs };
  }
  const { claim } = claimed;
  let result: CredentialsResult;
  try {
    result = await checkCredentials(who.email, password, {
      address: who.address,
      isKnown: who.knownAs !== null,
    });
  } catch (error) {
    await settleTry(claim, 'void');
    if (!(error instanceof TooManyHashesError)) throw error;
    countSignIn('busy');
    return { status: 'busy' };
  }
  const failures = await settleTry(claim, result.status === 'right' ? 'succeeded' : 'failed');
  if (result.status === 'right') return result;
  const isNewlyAttacked = failures?.[ACCOUNT_GAUGE] === ATTACKED_FROM;
  noteFailure(result.userId, address, isNewlyAttacked);
  return { status: 'wrong' };
}

/** An address that somebody has made up is not kept: of those it says only that there is no such account. */
function noteFailure(userId: string | null, address: string | null, isNewlyAttacked: boolean): void {
  const subject = userId === null ? { kind: 'account', id: 'unknown' } : { kind: 'user', id: userId };
  const actor = { userId: 'system', role: 'system' };
  countSignIn('wrong');
  noteEvent({ action: 'session.refuse', actor, subject, facts: { address: address ?? '' } });
  if (!isNewlyAttacked) return;
  countSignIn('attacked');
  noteEvent({ action: 'account.attack', actor, subject, facts: { failures: ATTACKED_FROM } });
}
