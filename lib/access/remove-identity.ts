import 'server-only';
import { hasPassword } from '@/lib/account/has-password';
import { endOtherSessions } from '@/lib/account/sessions/end-other-sessions';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import type { CurrentUser } from '@/lib/account/types';
import { recordAction } from '@/lib/audit/record-action';
import { type Db, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { type Caller, countedOf } from './caller';
import { checkPassword, type PasswordResult } from './check-password';
import { mailIdentityChanged } from './mail-identity-changed';

type RemoveResult =
  | { status: 'removed' }
  | { status: 'not_found' }
  /** It is the only way in. */
  | { status: 'no_password' }
  /** The session ended in the meantime. */
  | { status: 'signed_out' }
  | Exclude<PasswordResult, { status: 'right' }>;

/**
 * Takes a sign-in of another server away from an account, for a caller who knows its password: so another way in is left.
 * Every other session ends, and their entry tokens: who came in that way is out.
 * @throws connection errors
 */
export async function removeIdentity(
  user: CurrentUser,
  { identityId, currentPassword }: { identityId: string; currentPassword: string },
  caller: Caller,
): Promise<RemoveResult> {
  const { userId, email, session } = user;
  const identity = await db().identity.findFirst({
    where: { id: identityId, userId },
    select: { issuer: true, user: { select: { passwordHash: true } } },
  });
  if (!identity) return { status: 'not_found' };
  if (!hasPassword(identity.user)) return { status: 'no_password' };
  const who = { email, address: countedOf(caller), knownAs: `session ${session.id}` };
  const checked = await checkPassword(who, currentPassword, caller);
  if (checked.status !== 'right') return checked;
  const { issuer } = identity;
  const known = checked.user.sessionVersion;
  const status = await transaction((tx) => write(tx, user, { identityId, issuer, known }));
  if (status !== 'removed') return { status };
  await announceEndedSessions();
  void mailIdentityChanged({ ...user, id: userId }, 'identityRemoved', issuer);
  return { status };
}

/** The account's version says that its password is still the one that was checked. */
async function write(
  tx: Db,
  user: CurrentUser,
  { identityId, issuer, known }: { identityId: string; issuer: string; known: number },
): Promise<'removed' | 'not_found' | 'signed_out'> {
  const { userId, role } = user;
  // The account first: whoever needs both rows takes them in this order.
  const locked = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM users
    WHERE id = ${userId} AND session_version = ${known} AND banned_at IS NULL FOR NO KEY UPDATE`;
  if (locked.length === 0) return 'signed_out';
  const removed = await tx.identity.deleteMany({ where: { id: identityId, userId } });
  if (removed.count !== 1) return 'not_found';
  await endOtherSessions(tx, user, { where: { sessionVersion: known } });
  await recordAction(
    tx,
    { userId, role },
    {
      action: 'user.remove_identity',
      subject: { kind: 'user', id: userId },
      before: { issuer },
      after: null,
    },
  );
  return 'removed';
}
