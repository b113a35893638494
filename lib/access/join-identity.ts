import 'server-only';
import { hasPassword } from '@/lib/account/has-password';
import type { CurrentUser } from '@/lib/account/types';
import { recordAction } from '@/lib/audit/record-action';
import { db } from '@/lib/db/client';
import { isDuplicate } from '@/lib/db/sql-state';
import { transaction } from '@/lib/db/transaction';
import { newId } from '@/lib/ids/new-id';
import type { OpenIdProvider } from '@/lib/open-id/create-provider';
import type { Identity } from '@/lib/open-id/types';
import { beginOpenId } from './begin-open-id';
import { type Caller, countedOf } from './caller';
import { checkPassword, type PasswordResult } from './check-password';
import type { Wanted } from './lead-to';
import { mailIdentityChanged } from './mail-identity-changed';

type BeginJoiningResult =
  | { status: 'begun'; address: string; setCookie: string }
  /** The account has one of this server already. */
  | { status: 'exists' }
  /** The account's address is not verified here: it may be somebody else's. */
  | { status: 'unverified' }
  | { status: 'no_password' }
  /** A demo account: its password is public, and nobody may get in by a way of their own. */
  | { status: 'demo_account' }
  | { status: 'away' }
  | Exclude<PasswordResult, { status: 'right' }>;

/**
 * Begins to join a sign-in of another server to an account, for a caller who knows its password: whoever only found a
 * session open can't leave himself a way in.
 * @throws connection errors
 */
export async function beginJoining(
  provider: OpenIdProvider,
  user: CurrentUser,
  { currentPassword, ...wanted }: Wanted & { currentPassword: string },
  caller: Caller,
): Promise<BeginJoiningResult> {
  const { userId, email, session } = user;
  const { issuer } = provider.settings;
  const own = await db().user.findUniqueOrThrow({
    where: { id: userId },
    select: { isDemo: true, passwordHash: true, emailVerifiedAt: true, identities: { where: { issuer } } },
  });
  if (own.isDemo) return { status: 'demo_account' };
  if (own.identities.length > 0) return { status: 'exists' };
  if (own.emailVerifiedAt === null) return { status: 'unverified' };
  if (!hasPassword(own)) return { status: 'no_password' };
  const who = { email, address: countedOf(caller), knownAs: `session ${session.id}` };
  const checked = await checkPassword(who, currentPassword, caller);
  if (checked.status !== 'right') return checked;
  return beginOpenId(provider, wanted, { userId, sessionId: session.id });
}

type JoinResult =
  | { status: 'joined' }
  /** The session in which it began has ended. */
  | { status: 'signed_out' }
  /** The identity opens another account. */
  | { status: 'taken' }
  /** The account has one of this server already. */
  | { status: 'exists' };

/** Joins an identity to the account of the session that has begun to (`beginJoining`). The owner is told by mail. */
export async function joinIdentity(
  { issuer, subject }: Identity,
  link: { userId: string; sessionId: string },
  user: CurrentUser | null,
): Promise<JoinResult> {
  if (!user || user.userId !== link.userId || user.session.id !== link.sessionId)
    return { status: 'signed_out' };
  const { userId, role } = user;
  try {
    const isJoined = await transaction(async (tx) => {
      // A ban, or the end of the session, is written either before this, and is seen here, or afterwards.
      const locked = await tx.$queryRaw<unknown[]>`
        SELECT 1 FROM users u JOIN sessions s ON s.user_id = u.id
        WHERE u.id = ${userId} AND u.banned_at IS NULL AND u.email_verified_at IS NOT NULL
          AND s.id = ${user.session.id} AND s.ended_at IS NULL FOR NO KEY UPDATE`;
      if (locked.length === 0) return false;
      await tx.identity.create({ data: { id: newId('identity'), userId, issuer, subject } });
      await recordAction(
        tx,
        { userId, role },
        {
          action: 'user.join_identity',
          subject: { kind: 'user', id: userId },
          before: null,
          after: { issuer },
        },
      );
      return true;
    });
    if (!isJoined) return { status: 'signed_out' };
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    const own = await db().identity.count({ where: { userId, issuer } });
    return { status: own > 0 ? 'exists' : 'taken' };
  }
  void mailIdentityChanged({ ...user, id: userId }, 'identityJoined', issuer);
  return { status: 'joined' };
}
