import 'server-only';
import { inboxOf } from '@/lib/account/inbox-of';
import { db } from '@/lib/db/client';
import { log } from '@/lib/http/log';
import { keys } from '@/lib/redis/keys';
import { noteEvent } from '@/lib/security/note-event';
import { settleTry } from '@/lib/tries/claim-try';
import { hashSubject } from '@/lib/tries/hash-subject';
import type { TryCounter } from '@/lib/tries/types';
import { type Caller, countedOf } from './caller';
import { claimRequest } from './claim-request';
import { mailPasswordReset } from './mail-password-reset';

const MINUTE_MS = 60_000;

type AskResult = { status: 'taken' } | { status: 'too_soon'; retryAfterMs: number };

/**
 * Sends the mail with which an account gets another password, if there is such an account. The answer is the same
 * whether there is one, and does not wait for the mail: so nobody learns who has an account. One inbox gets at most one
 * mail a minute, then fewer and fewer, whoever asks.
 * @param email in small letters
 * @throws connection errors of the limits
 */
export async function askPasswordReset(email: string, caller: Caller): Promise<AskResult> {
  const claimed = await claimRequest('password-reset', countedOf(caller), [byInbox(email)]);
  if (claimed.status === 'wait') return { status: 'too_soon', retryAfterMs: claimed.waitMs };
  void send(email, caller).catch(async (err: unknown) => {
    log.warn({ err }, 'the mail to reset a password was not sent');
    await settleTry(claimed.claim, 'void').catch(() => null);
  });
  return { status: 'taken' };
}

/** Banned accounts and those whose password is public get no mail. */
async function send(email: string, { address }: Caller): Promise<void> {
  const user = await db().user.findUnique({ where: { email } });
  if (!user || user.bannedAt !== null || user.isDemo) return;
  await mailPasswordReset(user);
  noteEvent({
    action: 'password.ask_reset',
    actor: { userId: 'system', role: 'system' },
    subject: { kind: 'user', id: user.id },
    facts: { address: address ?? '' },
  });
}

const byInbox = (email: string): TryCounter => ({
  key: keys.tries('password-reset', 'inbox', hashSubject(inboxOf(email))),
  kind: 'ahead',
  free: 1,
  baseMs: MINUTE_MS,
  maxMs: 60 * MINUTE_MS,
  keepMs: 24 * 60 * MINUTE_MS,
});
