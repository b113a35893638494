import 'server-only';
import { CONFIRM_LIFETIME_MS, UNDO_LIFETIME_MS } from '@/lib/account/email-change-token';
import { isAddressFree } from '@/lib/account/is-address-free';
import { lockOwner } from '@/lib/account/lock-owner';
import type { CurrentUser } from '@/lib/account/types';
import { recordAction } from '@/lib/audit/record-action';
import type { EmailChangeWish } from '@/lib/contract/shapes/account';
import { db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { log } from '@/lib/http/log';
import { newId } from '@/lib/ids/new-id';
import { keys } from '@/lib/redis/keys';
import { settleTry, unlessThrown } from '@/lib/tries/claim-try';
import { hashSubject } from '@/lib/tries/hash-subject';
import type { TryCounter } from '@/lib/tries/types';
import type { EmailChange } from '@/prisma/generated/client';
import { type Caller, countedOf } from './caller';
import { checkOwnPassword, type OwnPasswordResult } from './check-password';
import { byInbox, claimRequest } from './claim-request';
import { mailEmailAsked } from './mail-email-change';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The link in the inbox is still good when the next one may be asked for. */
const LONGEST_WAIT_MS = CONFIRM_LIFETIME_MS / 2;

type AskResult =
  /** The mails are on their way. The answer is the same if another account has the address. */
  | { status: 'taken' }
  /** It is the account's address already. */
  | { status: 'unchanged' }
  | { status: 'too_soon'; retryAfterMs: number }
  /** A demo account: its password is public, and nobody may take it from the others. */
  | { status: 'demo_account' }
  | Exclude<OwnPasswordResult, { status: 'right' }>;

/**
 * Asks for another address of an account, by its password. The link in the mail to the new address makes the change.
 * The old address is told, with a link that stops it. A later request replaces an earlier one. The answer waits neither
 * for the mails nor for a look at the new address, so it reveals no account.
 * @param newEmail in small letters
 * @throws connection errors
 */
export async function askEmailChange(
  user: CurrentUser,
  { currentPassword, newEmail }: EmailChangeWish,
  caller: Caller,
): Promise<AskResult> {
  const { userId, email, locale } = user;
  const { isDemo } = await db().user.findUniqueOrThrow({ where: { id: userId }, select: { isDemo: true } });
  if (isDemo) return { status: 'demo_account' };
  const address = countedOf(caller);
  const checked = await checkOwnPassword(user, currentPassword, caller);
  if (checked.status !== 'right') return checked;
  if (newEmail === email) return { status: 'unchanged' };
  const claimed = await claimRequest('email-change', address, [
    byInbox('email-change', newEmail, LONGEST_WAIT_MS),
    byAccount(userId),
  ]);
  if (claimed.status === 'wait') return { status: 'too_soon', retryAfterMs: claimed.waitMs };
  const { claim } = claimed;
  const change = await unlessThrown(claim, write(user, checked.user.sessionVersion, newEmail));
  if (!change) return { status: 'signed_out' };
  void send(change, locale).catch(async (err: unknown) => {
    log.warn({ userId, err }, 'the mails about a change of address were not sent');
    await settleTry(claim, 'void').catch(() => null);
  });
  return { status: 'taken' };
}

const send = async (change: EmailChange, locale: string): Promise<void> =>
  mailEmailAsked(change, locale, await isAddressFree(change.newEmail, change.userId));

/** @returns null if the session has ended since the password was checked */
const write = ({ userId, role, session }: CurrentUser, sessionVersion: number, newEmail: string) =>
  transaction(async (tx): Promise<EmailChange | null> => {
    const user = await lockOwner(tx, { userId, session });
    if (user?.sessionVersion !== sessionVersion) return null;
    await tx.emailChange.updateMany({
      where: { userId, appliedAt: null, withdrawnAt: null, stoppedAt: null },
      data: { withdrawnAt: new Date() },
    });
    const now = Date.now();
    const change = await tx.emailChange.create({
      data: {
        id: newId('emailchange'),
        userId,
        sessionId: session.id,
        sessionVersion,
        oldEmail: user.email,
        oldVerifiedAt: user.emailVerifiedAt,
        newEmail,
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

/** Otherwise an account could send mails to any number of strangers. */
const byAccount = (userId: string): TryCounter => ({
  key: keys.tries('email-change', 'account', hashSubject(userId)),
  kind: 'ahead',
  free: 5,
  baseMs: 10 * MINUTE_MS,
  maxMs: DAY_MS,
  keepMs: DAY_MS,
});
