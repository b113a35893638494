import 'server-only';
import { type CredentialsResult, checkCredentials } from '@/lib/account/check-credentials';
import { NO_PASSWORD, turnAway } from '@/lib/account/hash-password';
import { type ComeBack, comeBackOf } from '@/lib/account/password-queue';
import type { CurrentUser } from '@/lib/account/types';
import { db } from '@/lib/db/client';
import { countSignIn } from '@/lib/metrics/sign-in-meter';
import { noteEvent } from '@/lib/security/note-event';
import { claimTry, settleTry } from '@/lib/tries/claim-try';
import type { User } from '@/prisma/generated/client';
import { type Caller, countedOf } from './caller';
import { ACCOUNT_GAUGE, ATTACKED_FROM, type SignInTry, signInCounters } from './sign-in-limits';
import { readTurn, spendTurn } from './turn-cookie';

export type PasswordResult =
  | { status: 'right'; user: User }
  | { status: 'wrong' }
  /** Too many failures; no password was checked. */
  | { status: 'limited'; waitMs: number }
  /** Too many passwords wait; this one was not checked. */
  | { status: 'busy'; comeBack: ComeBack };

export type OwnPasswordResult =
  | PasswordResult
  /** An account that a sign-in server opens may have no password. */
  | { status: 'no_password' }
  /** The session ended in the meantime, perhaps because the account was deleted. */
  | { status: 'signed_out' };

/**
 * Checks an account's password wherever one is asked for. Failures cost growing waits, counted per subject
 * (`signInCounters`). A refused try costs no hash. The right password clears the failures of the caller who gave it.
 * @param who the caller; `email` in small letters
 * @throws connection errors
 */
export async function checkPassword(
  who: SignInTry,
  password: string,
  { address, headers }: Caller,
): Promise<PasswordResult> {
  const since = readTurn(headers.get('cookie'), who.email);
  const guest = { address: who.address, isKnown: who.knownAs !== null, since };
  // Before anything is counted or read: a crowd that comes back to a long queue costs next to nothing.
  const refused = turnAway(guest);
  if (refused) return busy(refused);
  const claimed = await claimTry(signInCounters(who));
  if (claimed.status === 'wait') {
    countSignIn('limited');
    return { status: 'limited', waitMs: claimed.waitMs };
  }
  const { claim } = claimed;
  let result: CredentialsResult;
  try {
    result = await checkCredentials(who.email, password, guest);
  } catch (error) {
    await settleTry(claim, 'void');
    const comeBack = comeBackOf(error);
    if (!comeBack) throw error;
    return busy(comeBack);
  }
  if (since !== null) spendTurn(who.email);
  const failures = await settleTry(claim, result.status === 'right' ? 'succeeded' : 'failed');
  if (result.status === 'right') return result;
  const isNewlyAttacked = failures?.[ACCOUNT_GAUGE] === ATTACKED_FROM;
  noteFailure(result.userId, address, isNewlyAttacked);
  return { status: 'wrong' };
}

/**
 * Checks the password of a session's own account, with a counter of its own for this session.
 * @throws connection errors
 */
export async function checkOwnPassword(
  { userId, email, session }: Pick<CurrentUser, 'userId' | 'email' | 'session'>,
  password: string,
  caller: Caller,
): Promise<OwnPasswordResult> {
  if (await hasNoPassword({ id: userId })) return { status: 'no_password' };
  const who = { email, address: countedOf(caller), knownAs: `session ${session.id}` };
  const result = await checkPassword(who, password, caller);
  if (result.status !== 'wrong' || (await db().user.count({ where: { id: userId, deletedAt: null } })) > 0)
    return result;
  return { status: 'signed_out' };
}

/** Tells whether an account has no password: a sign-in server opens it, or an owner has stopped a change of address. */
export async function hasNoPassword(account: { id: string } | { email: string }): Promise<boolean> {
  const where = { ...account, deletedAt: null, passwordHash: NO_PASSWORD };
  return (await db().user.count({ where })) > 0;
}

function busy(comeBack: ComeBack): PasswordResult {
  countSignIn('busy');
  return { status: 'busy', comeBack };
}

/** Does not keep an address that a client made up: for those it records only that there is no such account. */
function noteFailure(userId: string | null, address: string | null, isNewlyAttacked: boolean): void {
  const subject = userId === null ? { kind: 'account', id: 'unknown' } : { kind: 'user', id: userId };
  const actor = { userId: 'system', role: 'system' };
  countSignIn('wrong');
  noteEvent({ action: 'session.refuse', actor, subject, facts: { address: address ?? '' } });
  if (!isNewlyAttacked) return;
  countSignIn('attacked');
  noteEvent({ action: 'account.attack', actor, subject, facts: { failures: ATTACKED_FROM } });
}
