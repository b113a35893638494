import 'server-only';
import { describePasskeys, MAX_PASSKEYS } from '@/lib/account/factors/list-passkeys';
import { handleOf } from '@/lib/account/factors/spend-passkey';
import { PASSKEY_ALGORITHMS, relyingParty } from '@/lib/account/factors/verify-passkey';
import type { CurrentUser } from '@/lib/account/types';
import type { PasskeyWish } from '@/lib/contract/shapes/passkey';
import { type Caller, countedOf } from './caller';
import { checkPassword, type PasswordResult } from './check-password';
import { boundToAccount, CHALLENGE_LIFETIME_MS, writeChallenge } from './passkey-cookie';

type BeginResult =
  | { status: 'begun'; wish: PasskeyWish; setCookie: string }
  /** A demo account: its password is public, and nobody may lock the others out. */
  | { status: 'demo_account' }
  /** The account has as many as it may have. */
  | { status: 'full' }
  | Exclude<PasswordResult, { status: 'right' }>;

/** As authenticators show the shop. */
const SHOP = 'Seckill';

/**
 * Asks a browser to make a passkey, for a caller who knows the password: whoever only found a session open gets no way in
 * of their own. Nothing is kept before `addPasskey`.
 * @throws connection errors
 */
export async function beginPasskey(
  { userId, email, name, session }: CurrentUser,
  currentPassword: string,
  caller: Caller,
): Promise<BeginResult> {
  const who = { email, address: countedOf(caller), knownAs: `session ${session.id}` };
  const checked = await checkPassword(who, currentPassword, caller);
  if (checked.status !== 'right') return checked;
  if (checked.user.isDemo) return { status: 'demo_account' };
  const had = await describePasskeys(userId);
  if (had.length >= MAX_PASSKEYS) return { status: 'full' };
  const { challenge, setCookie } = writeChallenge('add', boundToSession(session.id, checked.user));
  const wish: PasskeyWish = {
    challenge,
    rp: { id: relyingParty(), name: SHOP },
    user: { id: handleOf(userId), name: email, displayName: name },
    pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
    timeout: CHALLENGE_LIFETIME_MS,
    attestation: 'none',
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    excludeCredentials: had,
  };
  return { status: 'begun', wish, setCookie };
}

/** Adding raises the account's version: so what was asked for once can't be added twice, nor again after it was removed. */
export const boundToSession = (sessionId: string, owner: Parameters<typeof boundToAccount>[0]): string =>
  `${sessionId} ${boundToAccount(owner)}`;
