import 'server-only';
import { readMessages } from '@/i18n/read-messages';
import { describePasskeys, MAX_PASSKEYS } from '@/lib/account/factors/describe-passkeys';
import { handleOf } from '@/lib/account/factors/spend-passkey';
import { PASSKEY_ALGORITHMS, relyingParty } from '@/lib/account/factors/verify-passkey';
import type { CurrentUser } from '@/lib/account/types';
import type { OwnerProof } from '@/lib/contract/shapes/factor';
import type { PasskeyWish } from '@/lib/contract/shapes/passkey';
import type { Caller } from './caller';
import { checkNewFactor, type NewFactorResult } from './check-new-factor';
import { CHALLENGE_LIFETIME_MS, writeChallenge } from './passkey-cookie';

type BeginResult =
  | { status: 'begun'; wish: PasskeyWish; setCookie: string }
  /** The account has as many passkeys as it may have. */
  | { status: 'full' }
  | Exclude<NewFactorResult, { status: 'right' }>;

/**
 * Asks a browser to make a passkey, once the owner has shown who they are: otherwise a thief who finds a session open could
 * make a way in. Nothing is kept before `addPasskey`.
 * @throws connection errors; then the factor may have been used
 */
export async function beginPasskey(
  user: CurrentUser,
  proof: OwnerProof,
  caller: Caller,
): Promise<BeginResult> {
  const { userId, email, name } = user;
  const checked = await checkNewFactor(user, proof, caller);
  if (checked.status !== 'right') return checked;
  const excludeCredentials = await describePasskeys(userId);
  if (excludeCredentials.length >= MAX_PASSKEYS) return { status: 'full' };
  const { challenge, setCookie } = writeChallenge('add', additionOf(user, checked.user.sessionVersion));
  const wish: PasskeyWish = {
    challenge,
    rp: { id: relyingParty(), name: readMessages(user.locale).Meta.name },
    user: { id: handleOf(userId), name: email, displayName: name },
    pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
    timeout: CHALLENGE_LIFETIME_MS,
    attestation: 'none',
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    excludeCredentials,
  };
  return { status: 'begun', wish, setCookie };
}

/**
 * Names the addition that a challenge is bound to. Adding raises the account's version, so no challenge adds two passkeys,
 * nor the same one again after it was removed.
 */
export const additionOf = ({ session }: CurrentUser, sessionVersion: number): string =>
  `${session.id} ${sessionVersion}`;
