import 'server-only';
import { readEmailChange } from '@/lib/account/email-change-token';
import { deleteFactors, hasFactor } from '@/lib/account/factors/delete-factors';
import { NO_PASSWORD } from '@/lib/account/has-password';
import { endSessions } from '@/lib/account/sessions/end-sessions';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import { recordAction } from '@/lib/audit/record-action';
import { type Db, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { log } from '@/lib/http/log';
import { settleTry, unlessThrown } from '@/lib/tries/claim-try';
import type { EmailChange, User } from '@/prisma/generated/client';
import { type Caller, countedOf } from './caller';
import { claimRequest } from './claim-request';
import { mailPasswordReset } from './mail-password-reset';

export type StopResult =
  | { status: 'stopped'; email: string }
  /** The link is not ours, was used, has run out, or an earlier one has undone more. */
  | { status: 'invalid' }
  /** Too many wrong links came from this address. */
  | { status: 'limited'; waitMs: number };

/** A second factor or sign-in added so long before a change of address that its owner stops goes with it. */
const BEFORE_CHANGE_MS = 24 * 3_600_000;

/**
 * Stops a change of address by the link that was sent to the old one; if it was made, or later ones were, brings the old
 * address back. Whoever asked for it knew the password: so that is void, all sessions end, and their entry tokens, and the
 * owner gets a mail to choose another one.
 */
export async function stopEmailChange(token: string, caller: Caller): Promise<StopResult> {
  const claimed = await claimRequest('email-change-link', countedOf(caller));
  if (claimed.status === 'wait') return { status: 'limited', waitMs: claimed.waitMs };
  const user = await unlessThrown(claimed.claim, stop(token));
  if (!user) return { status: 'invalid' };
  await settleTry(claimed.claim, 'void');
  await announceEndedSessions();
  if (user.bannedAt === null)
    void mailPasswordReset(user).catch((err: unknown) =>
      log.warn({ userId: user.id, err }, 'the mail to reset a password was not sent'),
    );
  return { status: 'stopped', email: user.email };
}

async function stop(token: string): Promise<User | null> {
  const id = readEmailChange('stop', token);
  const change = id && (await db().emailChange.findUnique({ where: { id } }));
  return change ? transaction((tx) => write(tx, change)) : null;
}

async function write(tx: Db, change: EmailChange): Promise<User | null> {
  const { userId, oldEmail, oldVerifiedAt, createdAt } = change;
  const [before] = await tx.$queryRaw<{ email: string }[]>`
    SELECT email FROM users WHERE id = ${userId} FOR NO KEY UPDATE`;
  // This change and all later ones: a thief who has changed the address twice must not get back to his first one.
  const stopped = await tx.$executeRaw`
    UPDATE email_changes SET stopped_at = now()
    WHERE user_id = ${userId} AND created_at >= ${createdAt} AND stopped_at IS NULL AND EXISTS (
      SELECT 1 FROM email_changes WHERE id = ${change.id} AND stopped_at IS NULL AND undo_until > now())`;
  if (!before || stopped === 0) return null;
  const isBack = before.email !== oldEmail;
  const user = await tx.user.update({
    where: { id: userId },
    data: {
      passwordHash: NO_PASSWORD,
      sessionVersion: { increment: 1 },
      ...(isBack ? { email: oldEmail, emailVerifiedAt: await stillOurs(tx, change, oldVerifiedAt) } : {}),
    },
  });
  await deleteThievesFactors(tx, change);
  // Whoever asked for the change may have joined a sign-in of their own: it would be a way back.
  await tx.identity.deleteMany({
    where: { userId, createdAt: { gt: new Date(change.createdAt.getTime() - BEFORE_CHANGE_MS) } },
  });
  await endSessions(tx, userId);
  const subject = { kind: 'user', id: userId };
  await recordAction(
    tx,
    { userId, role: user.role },
    { action: 'user.stop_email_change', subject, before: null, after: { wentBack: isBack } },
  );
  return user;
}

/**
 * Whoever asked for the change may have added a second factor, before or after: it would keep the owner out, or let the thief
 * in. The owner's older ones stay.
 */
async function deleteThievesFactors(tx: Db, { userId, createdAt }: EmailChange): Promise<void> {
  const young = {
    where: { userId, createdAt: { gt: new Date(createdAt.getTime() - BEFORE_CHANGE_MS) } },
  };
  const apps = await tx.totpFactor.deleteMany(young);
  const passkeys = await tx.passkey.deleteMany(young);
  if (apps.count + passkeys.count === 0 || (await hasFactor(tx, userId))) return;
  await deleteFactors(tx, userId);
  await tx.user.update({ where: { id: userId }, data: { secondFactorAt: null } });
}

/** An inbox verifies one account: if another one has verified this one since, the address comes back unverified. */
async function stillOurs(
  tx: Db,
  { userId, oldEmail }: EmailChange,
  verifiedAt: Date | null,
): Promise<Date | null> {
  const [row] = await tx.$queryRaw<{ isTaken: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM users WHERE inbox_of(email) = inbox_of(${oldEmail})
                     AND email_verified_at IS NOT NULL AND id <> ${userId}) AS "isTaken"`;
  return row?.isTaken ? null : verifiedAt;
}
