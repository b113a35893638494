import 'server-only';
import { sealSecret } from '@/lib/account/factors/seal-secret';
import { createTotpSecret, totpAddress } from '@/lib/account/factors/totp';
import type { CurrentUser } from '@/lib/account/types';
import { db } from '@/lib/db/client';
import { type Caller, countedOf } from './caller';
import { checkPassword, type PasswordResult } from './check-password';

type BeginResult =
  | { status: 'begun'; secret: string; address: string }
  /** A demo account: its password is public, and nobody may lock the others out. */
  | { status: 'demo_account' }
  /** The account has an app already. */
  | { status: 'exists' }
  | Exclude<PasswordResult, { status: 'right' }>;

/** As apps for one-time codes show the shop. */
const ISSUER = 'Seckill';

/**
 * Makes the secret of an app for one-time codes, for a caller who knows the password: whoever only found a session
 * open can't lock the owner out. It counts for nothing until `confirmTotp`; beginning again makes another.
 * @throws connection errors
 */
export async function beginTotp(
  { userId, email, session }: CurrentUser,
  currentPassword: string,
  caller: Caller,
): Promise<BeginResult> {
  const { isDemo } = await db().user.findUniqueOrThrow({ where: { id: userId }, select: { isDemo: true } });
  if (isDemo) return { status: 'demo_account' };
  const who = { email, address: countedOf(caller), knownAs: `session ${session.id}` };
  const checked = await checkPassword(who, currentPassword, caller);
  if (checked.status !== 'right') return checked;
  const secret = createTotpSecret();
  const { sealedSecret, keyMark } = sealSecret(userId, secret);
  // Leaves a confirmed one alone, also one that is confirmed at this moment.
  const written = await db().$executeRaw`
    INSERT INTO totp_factors (user_id, sealed_secret, key_mark) VALUES (${userId}, ${sealedSecret}, ${keyMark})
    ON CONFLICT (user_id) DO UPDATE SET sealed_secret = ${sealedSecret}, key_mark = ${keyMark}, last_step = 0
    WHERE totp_factors.confirmed_at IS NULL`;
  if (written === 0) return { status: 'exists' };
  return { status: 'begun', secret, address: totpAddress(secret, ISSUER, email) };
}
