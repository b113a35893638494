import 'server-only';
import { changeWayIn } from '@/lib/account/change-way-in';
import { readEmailChange, UNDO_LIFETIME_MS } from '@/lib/account/email-change-token';
import { lockAccount } from '@/lib/account/lock-account';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import { recordAction } from '@/lib/audit/record-action';
import { type Db, db } from '@/lib/db/client';
import { isDuplicate } from '@/lib/db/sql-state';
import { transaction } from '@/lib/db/transaction';
import { log } from '@/lib/http/log';
import { settleTry, unlessThrown } from '@/lib/tries/claim-try';
import type { EmailChange } from '@/prisma/generated/client';
import { type Caller, countedOf } from './caller';
import { claimRequest } from './claim-request';
import { mailEmailChanged } from './mail-email-change';

type ConfirmResult =
  | { status: 'changed'; email: string }
  /** The link is not ours, has expired, was used or stopped, or the account has changed since. */
  | { status: 'invalid' }
  /** Another account has got the address, or has verified its inbox, since the link was sent. */
  | { status: 'email_taken' }
  /** Too many wrong links came from this address. */
  | { status: 'limited'; waitMs: number };

/**
 * Gives an account its new address, by the link that was sent there, once. The address counts as verified. Sessions other
 * than the one that asked end, and their entry tokens; the old address is told how to undo it.
 * @throws connection errors; the link may have been used then
 */
export async function confirmEmailChange(token: string, caller: Caller): Promise<ConfirmResult> {
  const claimed = await claimRequest('email-change-link', countedOf(caller));
  if (claimed.status === 'wait') return { status: 'limited', waitMs: claimed.waitMs };
  const result = await unlessThrown(claimed.claim, apply(token));
  if (result.status === 'invalid') return result;
  await settleTry(claimed.claim, 'void');
  if (result.status === 'email_taken') return result;
  const { change, locale } = result;
  await announceEndedSessions();
  void mailEmailChanged(change, locale).catch((err: unknown) =>
    log.warn({ userId: change.userId, err }, 'the mail about a changed address was not sent'),
  );
  return { status: 'changed', email: change.newEmail };
}

type Applied =
  | { status: 'changed'; change: EmailChange; locale: string }
  | { status: 'invalid' }
  | { status: 'email_taken' };

async function apply(token: string): Promise<Applied> {
  const id = readEmailChange('confirm', token);
  const change = id && (await db().emailChange.findUnique({ where: { id } }));
  if (!change) return { status: 'invalid' };
  try {
    return await transaction((tx) => write(tx, change));
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return { status: 'email_taken' };
  }
}

/** Locks the account first: of two uses of one link, or of a link and its stop, only one succeeds. */
async function write(tx: Db, change: EmailChange): Promise<Applied> {
  const { id, userId, newEmail, sessionId, sessionVersion } = change;
  const user = await lockAccount(tx, userId);
  if (user?.sessionVersion !== sessionVersion) return { status: 'invalid' };
  const now = Date.now();
  const applied = await tx.emailChange.updateMany({
    where: { id, appliedAt: null, withdrawnAt: null, stoppedAt: null, expiresAt: { gt: new Date(now) } },
    data: { appliedAt: new Date(now), undoUntil: new Date(now + UNDO_LIFETIME_MS) },
  });
  if (applied.count !== 1) return { status: 'invalid' };
  const reached = { email: newEmail, emailVerifiedAt: new Date(now), mailRefusedAt: null };
  await changeWayIn(tx, user, reached, sessionId);
  await recordAction(
    tx,
    { userId, role: user.role },
    { action: 'user.change_email', subject: { kind: 'user', id: userId }, before: null, after: null },
  );
  return { status: 'changed', change, locale: user.locale };
}
