import 'server-only';
import { CONFIRM_LIFETIME_MS, UNDO_LIFETIME_MS } from '@/lib/account/email-change-token';
import { inboxOf } from '@/lib/account/inbox-of';
import { isAddressFree } from '@/lib/account/is-address-free';
import type { CurrentUser } from '@/lib/account/types';
import { recordAction } from '@/lib/audit/record-action';
import type { EmailChangeWish } from '@/lib/contract/shapes/account';
import { db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { log } from '@/lib/http/log';
import { newId } from '@/lib/ids/new-id';
import { keys } from '@/lib/redis/keys';
import { unlessThrown } from '@/lib/tries/claim-try';
import { hashSubject } from '@/lib/tries/hash-subject';
import type { TryCounter } from '@/lib/tries/types';
import type { EmailChange } from '@/prisma/generated/client';
import { type Caller, countedOf } from './caller';
import { checkPassword, type PasswordResult } from './check-password';
import { claimRequest } from './claim-request';
import { mailEmailChange } from './mail-email-change';

const MINUTE_MS = 60_000;

type AskResult =
  /** The mails are on their way; the answer is the same if another account has the address. */
  | { status: 'taken' }
  /** It is the account's address already. */
  | { status: 'unchanged' }
  | { status: 'too_soon'; retryAfterMs: number }
  /** The session ended in the meantime. */
  | { status: 'signed_out' }
  | { status: 'demo_account' }
  | Exclude<PasswordResult, { status: 'right' }>;

/**
 * Asks for another address of an account, by its password. Nothing changes before the link in the mail to the new address
 * is confirmed; the old address is told, with a link that stops it. A later request takes the place of an earlier one.
 * @param newEmail in small letters
 */
export async function askEmailChange(
  user: CurrentUser,
  { currentPassword, newEmail }: EmailChangeWish,
  caller: Caller,
): Promise<AskResult> {
  const { userId, email, session } = user;
  const { isDemo } = await db().user.findUniqueOrThrow({ where: { id: userId }, select: { isDemo: true } });
  if (isDemo) return { status: 'demo_account' };
  const address = countedOf(caller);
  const who = { email, address, knownAs: `session ${session.id}` };
  const checked = await checkPassword(who, currentPassword, caller);
  if (checked.status !== 'right') return checked;
  if (newEmail === email) return { status: 'unchanged' };
  const claimed = await claimRequest('email-change', address, [byInbox(newEmail), byAccount(userId)]);
  if (claimed.status === 'wait') return { status: 'too_soon', retryAfterMs: claimed.waitMs };
  const change = await unlessThrown(claimed.claim, write(user, checked.user.sessionVersion, newEmail));
  if (!change) return { status: 'signed_out' };
  void send(change, user.locale);
  return { status: 'taken' };
}

/** The answer does not wait for it: so its time doesn't tell whether the address has an account. */
async function send(change: EmailChange, locale: string): Promise<void> {
  try {
    await mailEmailChange(change, locale, await isAddressFree(change.newEmail, change.userId));
  } catch (err) {
    log.warn({ userId: change.userId, err }, 'the mails about a change of address were not sent');
  }
}

/** Null: the account has changed since its password was checked. */
const write = ({ userId, role, session }: CurrentUser, known: number, newEmail: string) =>
  transaction(async (tx): Promise<EmailChange | null> => {
    const [user] = await tx.$queryRaw<{ email: string; emailVerifiedAt: Date | null }[]>`
      SELECT email, email_verified_at AS "emailVerifiedAt" FROM users
      WHERE id = ${userId} AND session_version = ${known} AND banned_at IS NULL FOR NO KEY UPDATE`;
    if (!user) return null;
    await tx.emailChange.updateMany({
      where: { userId, appliedAt: null, withdrawnAt: null, stoppedAt: null },
      data: { withdrawnAt: new Date() },
    });
    const now = Date.now();
    const change = await tx.emailChange.create({
      data: {
        id: newId('mailchange'),
        userId,
        sessionId: session.id,
        sessionVersion: known,
        oldEmail: user.email,
        oldVerifiedAt: user.emailVerifiedAt,
        newEmail,
        createdAt: new Date(now),
        expiresAt: new Date(now + CONFIRM_LIFETIME_MS),
        undoUntil: new Date(now + CONFIRM_LIFETIME_MS + UNDO_LIFETIME_MS),
      },
    });
    await recordAction(
      tx,
      { userId, role },
      { action: 'user.ask_email_change', subject: { kind: 'user', id: userId }, before: null, after: null },
    );
    return change;
  });

const byInbox = (email: string): TryCounter => ({
  key: keys.tries('email-change', 'inbox', hashSubject(inboxOf(email))),
  kind: 'ahead',
  free: 1,
  baseMs: MINUTE_MS,
  maxMs: 60 * MINUTE_MS,
  keepMs: 24 * 60 * MINUTE_MS,
});

/** Otherwise an account could send mails to any number of strangers. */
const byAccount = (userId: string): TryCounter => ({
  key: keys.tries('email-change', 'account', hashSubject(userId)),
  kind: 'ahead',
  free: 5,
  baseMs: 10 * MINUTE_MS,
  maxMs: 24 * 60 * MINUTE_MS,
  keepMs: 24 * 60 * MINUTE_MS,
});
