import 'server-only';
import type { Locale } from '@/i18n/routing';
import type { Identity } from '@/lib/account/identities/read-identity';
import { registerByIdentity } from '@/lib/account/identities/register-by-identity';
import { rememberLocale } from '@/lib/account/remember-locale';
import { db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { noteEvent } from '@/lib/security/note-event';
import type { User } from '@/prisma/generated/client';
import { type Caller, countedOf } from './caller';
import { claimRequest } from './claim-request';

type EnterResult =
  | { status: 'in'; user: User }
  /** The account has a second factor: no session may begin yet. */
  | { status: 'second_step'; user: User }
  /** The account is banned, deleted, or good in the demo alone. */
  | { status: 'refused' }
  /** No account has joined this identity, and the server vouches for no e-mail address. */
  | { status: 'unverified' }
  /** No account has joined this identity, and one has its e-mail address. */
  | { status: 'exists' }
  /** Too many new accounts from this address. */
  | { status: 'limited'; waitMs: number };

/**
 * Finds the account that an identity opens, or makes one. An e-mail address, verified or not, never opens an account that
 * was there before: its owner signs in and joins the identity (`joinIdentity`).
 * @throws connection errors
 */
export async function enterByIdentity(
  identity: Identity,
  locale: Locale,
  caller: Caller,
): Promise<EnterResult> {
  const owner = await findOwner(identity);
  if (owner) return admit(owner, locale, caller);
  if (identity.email === null) return { status: 'unverified' };
  const claimed = await claimRequest('registration', countedOf(caller));
  if (claimed.status === 'wait') return { status: 'limited', waitMs: claimed.waitMs };
  const made = await registerByIdentity(identity, identity.email, locale);
  if (made) return { status: 'in', user: made };
  // Perhaps the same person at the same moment, in another tab.
  const other = await findOwner(identity);
  return other ? admit(other, locale, caller) : { status: 'exists' };
}

async function findOwner({ issuer, subject }: Identity): Promise<User | null> {
  const where = { issuer_subject: { issuer, subject } };
  const found = await db().identity.findUnique({ where, select: { user: true } });
  return found?.user ?? null;
}

/** Lets an account in by the rules of a password: no banned account, and outside the demo no demo account. */
async function admit(user: User, locale: Locale, { address }: Caller): Promise<EnterResult> {
  if (user.bannedAt !== null || (user.isDemo && !env().isDemo)) {
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
