import 'server-only';
import type { Locale } from '@/i18n/routing';
import { findIdentityOwner } from '@/lib/account/identities/find-identity-owner';
import { registerByIdentity } from '@/lib/account/identities/register-by-identity';
import { rememberLocale } from '@/lib/account/remember-locale';
import { env } from '@/lib/env';
import type { Identity } from '@/lib/open-id/types';
import { noteEvent } from '@/lib/security/note-event';
import type { User } from '@/prisma/generated/client';
import { type Caller, countedOf } from './caller';
import { claimRequest } from './claim-request';

export type EnterResult =
  | { status: 'in'; user: User }
  /** The account has a second factor: no session has begun. */
  | { status: 'second_step'; user: User }
  /** The account is banned, deleted, or good in the demo alone. */
  | { status: 'refused' }
  /** Nobody has joined this identity, and the server doesn't say that its e-mail address is verified. */
  | { status: 'unverified' }
  /** Nobody has joined this identity, and there is an account with its e-mail address. */
  | { status: 'exists' }
  /** Too many new accounts from this address. */
  | { status: 'limited'; waitMs: number };

/**
 * Finds the account that an identity opens, or makes one. An account that is there already is never opened by an e-mail
 * address, verified or not: its owner signs in and joins the identity (`joinIdentity`).
 * @throws connection errors
 */
export async function enterByIdentity(
  identity: Identity,
  locale: Locale,
  caller: Caller,
): Promise<EnterResult> {
  const owner = await findIdentityOwner(identity);
  if (owner) return admit(owner, locale, caller);
  if (identity.email === null || !identity.isEmailVerified) return { status: 'unverified' };
  const claimed = await claimRequest('registration', countedOf(caller));
  if (claimed.status === 'wait') return { status: 'limited', waitMs: claimed.waitMs };
  const made = await registerByIdentity(identity, identity.email, locale);
  if (made) return { status: 'in', user: made };
  // Perhaps the same person at the same moment, in another tab.
  const other = await findIdentityOwner(identity);
  return other ? admit(other, locale, caller) : { status: 'exists' };
}

async function admit(user: User, locale: Locale, { address }: Caller): Promise<EnterResult> {
  if (user.bannedAt !== null || user.deletedAt !== null || (user.isDemo && !env().isDemo)) {
    noteEvent({
      action: 'session.refuse',
      actor: { userId: 'system', role: 'system' },
      subject: { kind: 'user', id: user.id },
      facts: { address: address ?? '' },
    });
    return { status: 'refused' };
  }
  await rememberLocale(user, locale);
  return { status: user.secondFactorAt ? 'second_step' : 'in', user };
}
