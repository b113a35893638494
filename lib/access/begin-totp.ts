import 'server-only';
import { readMessages } from '@/i18n/read-messages';
import { sealSecret } from '@/lib/account/factors/seal-secret';
import { createTotpSecret, totpAddress } from '@/lib/account/factors/totp';
import type { CurrentUser } from '@/lib/account/types';
import type { OwnerProof } from '@/lib/contract/shapes/factor';
import { db } from '@/lib/db/client';
import type { Caller } from './caller';
import { checkNewFactor, type NewFactorResult } from './check-new-factor';

type BeginResult =
  | { status: 'begun'; secret: string; address: string }
  /** The account has an app already. */
  | { status: 'exists' }
  | Exclude<NewFactorResult, { status: 'right' }>;

/**
 * Makes the secret of an app for one-time codes, once the owner has shown who they are: otherwise a thief who finds a
 * session open could lock the owner out. It counts for nothing until `confirmTotp`; a later call replaces an earlier secret.
 * @throws connection errors
 */
export async function beginTotp(user: CurrentUser, proof: OwnerProof, caller: Caller): Promise<BeginResult> {
  const { userId, email, session } = user;
  if ((await db().totpFactor.count({ where: { userId, confirmedAt: { not: null } } })) > 0)
    return { status: 'exists' };
  const checked = await checkNewFactor(user, proof, caller);
  if (checked.status !== 'right') return checked;
  const secret = createTotpSecret();
  const { sealedSecret, keyMark } = sealSecret(userId, secret);
  // Leaves a confirmed one alone, also one that is confirmed at this moment.
  const written = await db().$executeRaw`
    INSERT INTO totp_factors (user_id, sealed_secret, key_mark, session_id)
    VALUES (${userId}, ${sealedSecret}, ${keyMark}, ${session.id})
    ON CONFLICT (user_id) DO UPDATE SET
      sealed_secret = ${sealedSecret}, key_mark = ${keyMark}, session_id = ${session.id}, created_at = now()
    WHERE totp_factors.confirmed_at IS NULL`;
  if (written === 0) return { status: 'exists' };
  const { name } = readMessages(user.locale).Meta;
  return { status: 'begun', secret, address: totpAddress(secret, name, email) };
}
