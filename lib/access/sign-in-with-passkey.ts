import 'server-only';
import { spendPasskey } from '@/lib/account/factors/spend-passkey';
import { rememberLocale } from '@/lib/account/remember-locale';
import type { PasskeyAnswer } from '@/lib/contract/shapes/passkey';
import { env } from '@/lib/env';
import { countSignIn } from '@/lib/metrics/sign-in-meter';
import { settleTry, unlessThrown } from '@/lib/tries/claim-try';
import type { User } from '@/prisma/generated/client';
import { type Caller, countedOf } from './caller';
import { noteWrongFactor } from './check-factor';
import { claimRequest } from './claim-request';
import { readChallenge } from './passkey-cookie';
import { type BegunSession, beginSession } from './sign-in';

export type PasskeySignIn =
  | BegunSession
  /** No account has it, or one that may not sign in; or it answered something else. */
  | { status: 'wrong' }
  /** Too many wrong ones came from this address. */
  | { status: 'limited'; waitMs: number };

/**
 * Signs a user in by a passkey alone. It is two factors at once, because the authenticator has checked who its user is.
 * @param given `locale` of the page: ignored unless it is a language of the shop
 * @throws connection errors; then the challenge may have been used
 */
export async function signInWithPasskey(
  given: { passkey: PasskeyAnswer; locale?: unknown },
  caller: Caller,
): Promise<PasskeySignIn> {
  const challenge = readChallenge(caller.headers.get('cookie'), 'sign-in', '');
  if (!challenge) return { status: 'wrong' };
  const claimed = await claimRequest('passkey', countedOf(caller));
  if (claimed.status === 'wait') {
    countSignIn('limited');
    return { status: 'limited', waitMs: claimed.waitMs };
  }
  const spent = await unlessThrown(claimed.claim, spendPasskey(given.passkey, challenge, null));
  if (spent.status !== 'right' || !maySignIn(spent.user)) {
    const userId = spent.status === 'right' ? spent.user.id : spent.userId;
    noteWrongFactor(userId, caller.address, spent.status === 'stale');
    return { status: 'wrong' };
  }
  await settleTry(claimed.claim, 'void');
  await rememberLocale(spent.user, given.locale);
  return beginSession(spent.user, caller, 'passkey');
}

/** As with a password: no banned account, and outside the demo no demo account. */
const maySignIn = ({ bannedAt, isDemo }: User): boolean => bannedAt === null && (!isDemo || env().isDemo);
