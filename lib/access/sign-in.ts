import 'server-only';
import { rememberLocale } from '@/lib/account/remember-locale';
import { readSessionToken, sessionCookieName } from '@/lib/account/sessions/session-token';
import { startSession } from '@/lib/account/sessions/start-session';
import { describeBrowser } from '@/lib/device/browser-kind';
import { identifyDevice } from '@/lib/device/identify-device';
import { knownAs, rememberAccount } from '@/lib/device/known-accounts';
import { readCookie } from '@/lib/http/read-cookie';
import { countSignIn } from '@/lib/metrics/sign-in-meter';
import { noteEvent } from '@/lib/security/note-event';
import type { User } from '@/prisma/generated/client';
import { type Caller, countedOf } from './caller';
import type { SpentFactor } from './check-factor';
import { checkPassword, type PasswordResult } from './check-password';
import { endSession } from './end-session';

/** A user who is signed in. `setCookies` make this browser known; NextAuth sets the session's own cookie. */
export type BegunSession = { status: 'signed_in'; user: User; sessionId: string; setCookies: string[] };

export type SignInResult =
  | BegunSession
  /** The password is right, and the account has a second factor: no session has begun. */
  | { status: 'second_step'; user: User }
  | Exclude<PasswordResult, { status: 'right' }>;

/**
 * Signs a user in by e-mail address and password. If the account has a second factor, `finishSignIn` goes on.
 * @param given `email` in any case; `locale` of the page: ignored unless it is a language of the shop
 * @throws connection errors
 */
export async function signIn(
  given: { email: string; password: string; locale?: unknown },
  caller: Caller,
): Promise<SignInResult> {
  const email = given.email.trim().toLowerCase();
  const who = { email, address: countedOf(caller), knownAs: knownAs(caller.headers.get('cookie'), email) };
  const checked = await checkPassword(who, given.password, caller);
  if (checked.status !== 'right') return checked;
  if (checked.user.secondFactorAt) return { status: 'second_step', user: checked.user };
  await rememberLocale(checked.user, given.locale);
  return beginSession(checked.user, caller);
}

/**
 * Begins a session for a user who has proved who they are, in place of the session their browser had, and makes the
 * browser known.
 * @param factor the second factor that was shown
 */
export async function beginSession(
  user: User,
  { address, headers }: Caller,
  factor?: SpentFactor,
): Promise<BegunSession> {
  await endFormer(headers);
  const sessionId = await startSession(user, describeBrowser(headers));
  const { setCookie } = identifyDevice(headers);
  countSignIn('signed_in');
  noteEvent({
    action: 'session.start',
    actor: { userId: user.id, role: user.role },
    subject: { kind: 'user', id: user.id },
    facts: { address: address ?? '', ...(factor ? { factor } : {}) },
  });
  const { email, id, secondFactorAt } = user;
  const names = secondFactorAt ? [email, factorName({ id, secondFactorAt })] : [email];
  const known = rememberAccount(headers.get('cookie'), names);
  return { status: 'signed_in', user, sessionId, setCookies: setCookie ? [setCookie, known] : [known] };
}

/**
 * Returns the name under which a browser is known that has passed this second factor. A browser that is known by the
 * address alone may be a thief's, from before the account had the factor.
 */
export const factorName = ({ id, secondFactorAt }: { id: string; secondFactorAt: Date }): string =>
  `${id} ${secondFactorAt.getTime()}`;

/**
 * Ends the browser's former session. Its cookie is about to be replaced: after that this browser could not end it any
 * more.
 */
async function endFormer(headers: Headers): Promise<void> {
  const former = await readSessionToken(readCookie(headers.get('cookie'), sessionCookieName()));
  if (former) await endSession(former.sub, former.sid);
}
