import 'server-only';
import { changeWayIn } from '@/lib/account/change-way-in';
import { isGuessable } from '@/lib/account/guessable-password';
import { hashPassword } from '@/lib/account/hash-password';
import { type ComeBack, comeBackOf } from '@/lib/account/password-queue';
import { readReset } from '@/lib/account/reset-token';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import { recordAction } from '@/lib/audit/record-action';
import type { PasswordReset } from '@/lib/contract/shapes/account';
import { db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { tellOwner } from '@/lib/notify/tell-owner';
import { settleTry, unlessThrown } from '@/lib/tries/claim-try';
import type { User } from '@/prisma/generated/client';
import { type Caller, countedOf } from './caller';
import { claimRequest } from './claim-request';

type ResetResult =
  | { status: 'reset'; email: string }
  /** The link is not ours, has expired, was used, or the account has changed since. */
  | { status: 'invalid' }
  /** The new password is easy to guess; the link stays good. */
  | { status: 'guessable' }
  /** Too many wrong links came from this address. */
  | { status: 'limited'; waitMs: number }
  /** Too many passwords wait; the link stays good. */
  | { status: 'busy'; comeBack: ComeBack };

/**
 * Gives an account the password that its owner chose by the link of a mail, once. Ends all its sessions and their entry
 * tokens, and tells the owner by mail.
 * @throws connection errors; the link may have been used then
 */
export async function resetPassword(
  { token, newPassword }: PasswordReset,
  caller: Caller,
): Promise<ResetResult> {
  const address = countedOf(caller);
  const claimed = await claimRequest('password-reset-link', address);
  if (claimed.status === 'wait') return { status: 'limited', waitMs: claimed.waitMs };
  const user = await unlessThrown(claimed.claim, findOwner(token));
  if (!user) return { status: 'invalid' };
  await settleTry(claimed.claim, 'void');
  if (isGuessable(newPassword, user)) return { status: 'guessable' };
  try {
    const passwordHash = await hashPassword(newPassword, { address, isKnown: true });
    if (!(await write(user, passwordHash))) return { status: 'invalid' };
  } catch (error) {
    const comeBack = comeBackOf(error);
    if (!comeBack) throw error;
    return { status: 'busy', comeBack };
  }
  await announceEndedSessions();
  void tellOwner('passwordChanged', { userId: user.id, email: user.email, locale: user.locale });
  return { status: 'reset', email: user.email };
}

async function findOwner(token: string): Promise<User | null> {
  const claimed = readReset(token);
  if (!claimed) return null;
  const user = await db().user.findUnique({ where: { id: claimed.userId } });
  return user && user.bannedAt === null && !user.isDemo && claimed.isFor(user) ? user : null;
}

/** Writes only for the version of the account that the link names. So of two requests with one link, one succeeds. */
const write = (user: User, passwordHash: string): Promise<boolean> =>
  transaction(async (tx) => {
    if (!(await changeWayIn(tx, user, { passwordHash }))) return false;
    const { id, role } = user;
    await recordAction(
      tx,
      { userId: id, role },
      { action: 'user.reset_password', subject: { kind: 'user', id }, before: null, after: null },
    );
    return true;
  });
