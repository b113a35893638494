import 'server-only';
import { describePasskeys } from '@/lib/account/factors/describe-passkeys';
import { relyingParty } from '@/lib/account/factors/verify-passkey';
import type { CurrentUser } from '@/lib/account/types';
import type { PasskeyQuestion } from '@/lib/contract/shapes/passkey';
import { CHALLENGE_LIFETIME_MS, type PasskeyUse, writeChallenge } from './passkey-cookie';

/** The question for a browser's passkey, and the `Set-Cookie` header that keeps its challenge. */
type AskedPasskey = { question: PasskeyQuestion; setCookie: string };

/** Asks for any passkey of the shop, before anybody has said who they are. */
export const askAnyPasskey = (): AskedPasskey => ask('sign-in', '', []);

/** Asks for a passkey of a session's account. */
export const askOwnPasskey = async ({ userId, session }: CurrentUser): Promise<AskedPasskey> =>
  ask('session', session.id, await describePasskeys(userId));

function ask(
  use: PasskeyUse,
  boundTo: string,
  allowCredentials: PasskeyQuestion['allowCredentials'],
): AskedPasskey {
  const { challenge, setCookie } = writeChallenge(use, boundTo);
  return {
    question: {
      challenge,
      rpId: relyingParty(),
      timeout: CHALLENGE_LIFETIME_MS,
      userVerification: 'required',
      allowCredentials,
    },
    setCookie,
  };
}
