import 'server-only';
import { changeWayIn } from '@/lib/account/change-way-in';
import { nameOfServer } from '@/lib/account/identities/list-identities';
import type { Identity } from '@/lib/account/identities/read-identity';
import { lockOwner } from '@/lib/account/lock-owner';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import type { CurrentUser } from '@/lib/account/types';
import { recordAction } from '@/lib/audit/record-action';
import type { IdentityJoining } from '@/lib/contract/shapes/identity';
import { db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { env } from '@/lib/env';
import { newId } from '@/lib/ids/new-id';
import { tellOwner } from '@/lib/notify/tell-owner';
import { beginOpenId } from './ask-openid';
import type { Caller } from './caller';
import { checkOwner, type OwnerResult } from './check-owner';
import { formLocale } from './lead-to';

type BeginJoiningResult =
  | { status: 'begun'; url: string; setCookies: string[] }
  /** The shop has no sign-in server. */
  | { status: 'not_found' }
  /** The account has joined it already. */
  | { status: 'exists' }
  /** The account's address is not verified here: it may belong to another person, who would find this way in open. */
  | { status: 'unverified' }
  /** A demo account: its password is public. */
  | { status: 'demo_account' }
  | { status: 'away' }
  | Exclude<OwnerResult, { status: 'right' }>;

/**
 * Begins to join the shop's sign-in server to an account, once the owner has shown who they are: otherwise a thief who finds
 * a session open could make a way in.
 * @throws connection errors; then the second factor may have been used
 */
export async function beginJoining(
  user: CurrentUser,
  { locale, ...proof }: IdentityJoining,
  caller: Caller,
): Promise<BeginJoiningResult> {
  const issuer = env().openId?.issuer;
  if (issuer === undefined) return { status: 'not_found' };
  const own = await db().user.findUniqueOrThrow({
    where: { id: user.userId },
    select: { isDemo: true, emailVerifiedAt: true, identities: { where: { issuer } } },
  });
  if (own.isDemo) return { status: 'demo_account' };
  if (own.identities.length > 0) return { status: 'exists' };
  if (own.emailVerifiedAt === null) return { status: 'unverified' };
  const checked = await checkOwner(user, proof, caller);
  if (checked.status !== 'right') return checked;
  return beginOpenId({ locale: formLocale(locale), callbackUrl: null, joinedBy: user.session.id });
}

type JoinResult =
  | { status: 'joined' }
  /** The session in which it began has ended. */
  | { status: 'signed_out' }
  /** The identity opens another account, or this one has joined the server already. */
  | { status: 'taken' };

/**
 * Joins an identity to the account of the session that began to (`beginJoining`). All other sessions end, and the owner is
 * told by mail.
 * @param sessionId of the session that began. @throws connection errors
 */
export async function joinIdentity(
  { issuer, subject }: Identity,
  sessionId: string,
  user: CurrentUser | null,
): Promise<JoinResult> {
  if (user?.session.id !== sessionId) return { status: 'signed_out' };
  const { userId, role } = user;
  const result = await transaction(async (tx): Promise<JoinResult> => {
    const owner = await lockOwner(tx, user);
    if (!owner) return { status: 'signed_out' };
    const identity = { id: newId('identity'), userId, issuer, subject };
    const added = await tx.identity.createMany({ data: identity, skipDuplicates: true });
    if (added.count !== 1) return { status: 'taken' };
    await changeWayIn(tx, owner, {}, sessionId);
    const subjectOfLog = { kind: 'user', id: userId };
    await recordAction(
      tx,
      { userId, role },
      { action: 'user.join_identity', subject: subjectOfLog, before: null, after: { issuer } },
    );
    return { status: 'joined' };
  });
  if (result.status !== 'joined') return result;
  await announceEndedSessions();
  void tellOwner('identityJoined', user, { name: nameOfServer(issuer) });
  return result;
}
