import 'server-only';
import { changeWayIn } from '@/lib/account/change-way-in';
import { readEmailChange } from '@/lib/account/email-change-token';
import { deleteLeftovers } from '@/lib/account/factors/delete-leftovers';
import { NO_PASSWORD } from '@/lib/account/hash-password';
import { lockAccount } from '@/lib/account/lock-account';
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

const DAY_MS = 86_400_000;

type StopResult =
  | { status: 'stopped'; email: string }
  /** The link is not ours, was used, has expired, or an earlier one has undone more. */
  | { status: 'invalid' }
  /** Too many wrong links came from this address. */
  | { status: 'limited'; waitMs: number };

/**
 * Stops a change of address by the link that was sent to the old one, and brings the old address back. The person who
 * asked knew the password: so it is void, all sessions and entry tokens end, and ways in added since go. A mail lets the
 * owner choose another password.
 * @throws connection errors; the link may have been used then
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
  const { id, userId, oldEmail, sessionVersion } = change;
  const user = await lockAccount(tx, userId);
  if (!user) return null;
  // This change and all later ones: a thief who has changed the address twice must not get back to his first one.
  const stopped = await tx.$executeRaw`
    UPDATE email_changes SET stopped_at = now()
    WHERE user_id = ${userId} AND session_version >= ${sessionVersion} AND stopped_at IS NULL AND EXISTS (
      SELECT 1 FROM email_changes WHERE id = ${id} AND stopped_at IS NULL AND undo_until > now())`;
  if (stopped === 0) return null;
  const isBack = user.email !== oldEmail;
  const back = isBack
    ? { email: oldEmail, emailVerifiedAt: await verifiedAt(tx, change), mailRefusedAt: null }
    : {};
  // The person may have made other ways in, too, shortly before or later.
  const isWithoutFactor = await deleteSince(tx, userId, new Date(change.createdAt.getTime() - DAY_MS));
  const factor = isWithoutFactor ? { secondFactorAt: null } : {};
  await changeWayIn(tx, user, { passwordHash: NO_PASSWORD, ...back, ...factor });
  await recordAction(
    tx,
    { userId, role: user.role },
    {
      action: 'user.stop_email_change',
      subject: { kind: 'user', id: userId },
      before: null,
      after: { wentBack: isBack },
    },
  );
  return tx.user.findUniqueOrThrow({ where: { id: userId } });
}

/**
 * Deletes the identities, passkeys and app that an account has got since a moment. Recovery codes have no time, and may
 * be of the same person: they go with any factor.
 * @returns whether no second factor is left
 */
async function deleteSince(tx: Db, userId: string, since: Date): Promise<boolean> {
  const added = { gte: since };
  await tx.identity.deleteMany({ where: { userId, createdAt: added } });
  const passkeys = await tx.passkey.deleteMany({ where: { userId, createdAt: added } });
  const apps = await tx.totpFactor.deleteMany({ where: { userId, confirmedAt: added } });
  if (passkeys.count + apps.count > 0) await tx.recoveryCode.deleteMany({ where: { userId } });
  return deleteLeftovers(tx, userId);
}

/** An inbox verifies one account: if another one has verified this one since, the address comes back unverified. */
async function verifiedAt(tx: Db, { userId, oldEmail, oldVerifiedAt }: EmailChange): Promise<Date | null> {
  const [row] = await tx.$queryRaw<{ isTaken: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM users WHERE inbox_of(email) = inbox_of(${oldEmail})
                     AND email_verified_at IS NOT NULL AND id <> ${userId}) AS "isTaken"`;
  return row?.isTaken ? null : oldVerifiedAt;
}
