import 'server-only';
import { describePasskeys } from '@/lib/account/factors/list-passkeys';
import { relyingParty } from '@/lib/account/factors/verify-passkey';
import type { CurrentUser } from '@/lib/account/types';
import type { PasskeyQuestion } from '@/lib/contract/shapes/passkey';
import { findProved } from './finish-sign-in';
import { boundToAccount, CHALLENGE_LIFETIME_MS, type PasskeyUse, writeChallenge } from './passkey-cookie';

/** What a browser's passkey shall answer, and the `Set-Cookie` header that keeps the challenge. */
export type AskedPasskey = { question: PasskeyQuestion; setCookie: string };

/** Asks whichever passkey of the shop a browser has, before anybody has said who they are. */
export const askAnyPasskey = (): AskedPasskey => ask('sign-in', '', []);

/** Asks for a passkey of the account whose password a browser has given a moment ago. */
export async function askSecondStep(
  cookies: string | null,
): Promise<({ status: 'asked' } & AskedPasskey) | { status: 'over' } | { status: 'no_passkey' }> {
  const user = await findProved(cookies);
  if (!user) return { status: 'over' };
  const had = await describePasskeys(user.id);
  if (had.length === 0) return { status: 'no_passkey' };
  return { status: 'asked', ...ask('second-step', boundToAccount(user), had) };
}

/** Asks for a passkey of a session's account. */
export const askOwnPasskey = async ({ userId, session }: CurrentUser): Promise<AskedPasskey> =>
  ask('session', session.id, await describePasskeys(userId));

function ask(
  use: PasskeyUse,
  boundTo: string,
  allowCredentials: PasskeyQuestion['allowCredentials'],
): AskedPasskey {
  const { challenge, setCookie } = writeChallenge(use, boundTo);
  const timeout = CHALLENGE_LIFETIME_MS;
  return {
    question: { challenge, rpId: relyingParty(), timeout, userVerification: 'required', allowCredentials },
    setCookie,
  };
}
