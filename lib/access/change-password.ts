import 'server-only';
import { changeWayIn } from '@/lib/account/change-way-in';
import { isGuessable } from '@/lib/account/guessable-password';
import { hashPassword } from '@/lib/account/hash-password';
import { comeBackOf } from '@/lib/account/password-queue';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import type { CurrentUser } from '@/lib/account/types';
import { recordAction } from '@/lib/audit/record-action';
import type { PasswordChange } from '@/lib/contract/shapes/account';
import { db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { tellOwner } from '@/lib/notify/tell-owner';
import { type Caller, countedOf } from './caller';
import { checkOwnPassword, type OwnPasswordResult } from './check-password';

type ChangePasswordResult =
  | { status: 'changed' }
  /** The new password is easy to guess. */
  | { status: 'guessable' }
  /** A demo account: its password is public, and nobody may lock the others out. */
  | { status: 'demo_account' }
  | Exclude<OwnPasswordResult, { status: 'right' }>;

/**
 * Changes an account's password for a caller who knows the present one. Checks and limits that password as at
 * sign-in, with a counter of its own for this session. Ends all other sessions of the account, and their entry
 * tokens, and tells the owner by mail.
 */
export async function changePassword(
  user: CurrentUser,
  { currentPassword, newPassword }: PasswordChange,
  caller: Caller,
): Promise<ChangePasswordResult> {
  const { userId } = user;
  const { isDemo } = await db().user.findUniqueOrThrow({ where: { id: userId }, select: { isDemo: true } });
  if (isDemo) return { status: 'demo_account' };
  const checked = await checkOwnPassword(user, currentPassword, caller);
  if (checked.status !== 'right') return checked;
  if (isGuessable(newPassword, user)) return { status: 'guessable' };
  try {
    const passwordHash = await hashPassword(newPassword, { address: countedOf(caller), isKnown: true });
    const isWritten = await write(user, checked.user.sessionVersion, passwordHash);
    if (!isWritten) return { status: 'signed_out' };
    await announceEndedSessions();
    void tellOwner('passwordChanged', user);
    return { status: 'changed' };
  } catch (error) {
    const comeBack = comeBackOf(error);
    if (!comeBack) throw error;
    return { status: 'busy', comeBack };
  }
}

/** The session that asks goes on. */
function write(
  { userId, role, session }: CurrentUser,
  sessionVersion: number,
  passwordHash: string,
): Promise<boolean> {
  return transaction(async (tx) => {
    const known = { id: userId, sessionVersion };
    if (!(await changeWayIn(tx, known, { passwordHash }, session.id))) return false;
    await recordAction(
      tx,
      { userId, role },
      {
        action: 'user.change_password',
        subject: { kind: 'user', id: userId },
        before: null,
        after: null,
      },
    );
    return true;
  });
}
