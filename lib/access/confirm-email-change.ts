import 'server-only';
import { readEmailChange, UNDO_LIFETIME_MS } from '@/lib/account/email-change-token';
import { endSessions } from '@/lib/account/sessions/end-sessions';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import { recordAction } from '@/lib/audit/record-action';
import { type Db, db } from '@/lib/db/client';
import { isDuplicate } from '@/lib/db/sql-state';
import { transaction } from '@/lib/db/transaction';
import { log } from '@/lib/http/log';
import { settleTry, unlessThrown } from '@/lib/tries/claim-try';
import type { EmailChange, User } from '@/prisma/generated/client';
import { type Caller, countedOf } from './caller';
import { claimRequest } from './claim-request';
import { mailEmailChanged } from './mail-email-change';

export type ConfirmResult =
  | { status: 'changed'; email: string }
  /** The link is not ours, has run out, was used or stopped, or the account has changed since. */
  | { status: 'invalid' }
  /** Another account has got the address, or has verified its inbox, since the link was sent. */
  | { status: 'email_taken' }
  /** Too many wrong links came from this address. */
  | { status: 'limited'; waitMs: number };

/**
 * Gives an account its new address, by the link that was sent there, once. The address counts as verified. Sessions other
 * than the one that asked end, and their entry tokens; the old address is told how to undo it.
 */
export async function confirmEmailChange(token: string, caller: Caller): Promise<ConfirmResult> {
  const claimed = await claimRequest('email-change-link', countedOf(caller));
  if (claimed.status === 'wait') return { status: 'limited', waitMs: claimed.waitMs };
  const result = await unlessThrown(claimed.claim, apply(token));
  if (result.status === 'invalid') return result;
  await settleTry(claimed.claim, 'void');
  if (result.status === 'email_taken') return result;
  const { change, user } = result;
  await announceEndedSessions();
  void mailEmailChanged(change, user.locale).catch((err: unknown) =>
    log.warn({ userId: user.id, err }, 'the mail about a changed address was not sent'),
  );
  return { status: 'changed', email: change.newEmail };
}

type Applied =
  | { status: 'changed'; change: EmailChange; user: User }
  | { status: 'invalid' }
  | { status: 'email_taken' };

async function apply(token: string): Promise<Applied> {
  const id = readEmailChange('confirm', token);
  const change = id && (await db().emailChange.findUnique({ where: { id } }));
  if (!change) return { status: 'invalid' };
  try {
    return { status: 'changed', change, user: await transaction((tx) => write(tx, change)) };
  } catch (error) {
    if (error instanceof NotOpen) return { status: 'invalid' };
    if (!isDuplicate(error)) throw error;
    return { status: 'email_taken' };
  }
}

/** Rolls the transaction back; caught above. */
class NotOpen extends Error {}

/** Of two who use a link at once, or of a link and its stop, one succeeds: both lock the account first. */
async function write(tx: Db, { id, userId, ...change }: EmailChange): Promise<User> {
  const { oldEmail, newEmail, sessionVersion, sessionId } = change;
  const changed = await tx.user.updateMany({
    where: { id: userId, email: oldEmail, sessionVersion, bannedAt: null },
    data: { email: newEmail, emailVerifiedAt: new Date(), sessionVersion: { increment: 1 } },
  });
  if (changed.count !== 1) throw new NotOpen();
  const now = Date.now();
  const applied = await tx.emailChange.updateMany({
    where: { id, appliedAt: null, withdrawnAt: null, stoppedAt: null, expiresAt: { gt: new Date(now) } },
    data: { appliedAt: new Date(now), undoUntil: new Date(now + UNDO_LIFETIME_MS) },
  });
  if (applied.count !== 1) throw new NotOpen();
  await endSessions(tx, userId, { except: sessionId });
  await tx.session.updateMany({
    where: { id: sessionId, userId, endedAt: null, sessionVersion },
    data: { sessionVersion: sessionVersion + 1 },
  });
  const user = await tx.user.findUniqueOrThrow({ where: { id: userId } });
  await recordAction(
    tx,
    { userId, role: user.role },
    { action: 'user.change_email', subject: { kind: 'user', id: userId }, before: null, after: null },
  );
  return user;
}
