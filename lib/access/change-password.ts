import 'server-only';
import { hashPassword, TooManyHashesError } from '@/lib/account/hash-password';
import { endSessions } from '@/lib/account/sessions/end-sessions';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import type { CurrentUser } from '@/lib/account/types';
import { recordAction } from '@/lib/audit/record-action';
import type { PasswordChange } from '@/lib/contract/shapes/account';
import { db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { type Caller, countedOf } from './caller';
import { checkPassword, type PasswordResult } from './check-password';

type ChangePasswordResult =
  | { status: 'changed' }
  /** The session has been ended meanwhile. */
  | { status: 'signed_out' }
  /** A demo's: everybody knows it, and nobody takes it from the others. */
  | { status: 'demo_account' }
  | Exclude<PasswordResult, { status: 'right' }>;

/**
 * Gives an account another password, to whoever knows the present one: asked and limited as at sign-in, for this session by
 * itself. All its other sessions end, and their entry tokens with them.
 */
export async function changePassword(
  user: CurrentUser,
  { currentPassword, newPassword }: PasswordChange,
  caller: Caller,
): Promise<ChangePasswordResult> {
  const { userId, email, session } = user;
  const { isDemo } = await db().user.findUniqueOrThrow({ where: { id: userId }, select: { isDemo: true } });
  if (isDemo) return { status: 'demo_account' };
  const address = countedOf(caller);
  const checked = await checkPassword(
    { email, address, knownAs: `session ${session.id}` },
    currentPassword,
    caller,
  );
  if (checked.status !== 'right') return checked;
  try {
    const passwordHash = await hashPassword(newPassword, { address, isKnown: true });
    const isWritten = await write(user, checked.user.sessionVersion, passwordHash);
    if (!isWritten) return { status: 'signed_out' };
    await announceEndedSessions();
    return { status: 'changed' };
  } catch (error) {
    if (!(error instanceof TooManyHashesError)) throw error;
    return { status: 'busy' };
  }
}

/** Sessions that began by the old password end, also those that begin just now; the one that asks goes on. */
function write(
  { userId, role, session }: CurrentUser,
  known: number,
  passwordHash: string,
): Promise<boolean> {
  return transaction(async (tx) => {
    const changed = await tx.user.updateMany({
      where: { id: userId, sessionVersion: known, bannedAt: null },
      data: { passwordHash, sessionVersion: { increment: 1 } },
    });
    if (changed.count !== 1) return false;
    await endSessions(tx, userId, { except: session.id });
    await tx.session.updateMany({
      where: { id: session.id, endedAt: null },
      data: { sessionVersion: known + 1 },
    });
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
