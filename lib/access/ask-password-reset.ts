import 'server-only';
import { RESET_LIFETIME_MS } from '@/lib/account/reset-token';
import { db } from '@/lib/db/client';
import { log } from '@/lib/http/log';
import { noteEvent } from '@/lib/security/note-event';
import { settleTry } from '@/lib/tries/claim-try';
import { type Caller, countedOf } from './caller';
import { bySpelling, claimRequest } from './claim-request';
import { mailPasswordReset } from './mail-password-reset';

/** While a stranger keeps asking, the owner waits for a mail, but has one whose link is still good. */
const LONGEST_WAIT_MS = RESET_LIFETIME_MS / 2;

type AskResult = { status: 'taken' } | { status: 'too_soon'; retryAfterMs: number };

/**
 * Sends the mail that replaces a forgotten password, if there is such an account. The answer is the same whether there
 * is one, and waits neither for the database nor for the mail: so it tells nobody who has an account.
 * @param email in small letters
 * @throws connection errors of the limits
 */
export async function askPasswordReset(email: string, caller: Caller): Promise<AskResult> {
  const claimed = await claimRequest('password-reset', countedOf(caller), [
    bySpelling('password-reset', email, LONGEST_WAIT_MS),
  ]);
  if (claimed.status === 'wait') return { status: 'too_soon', retryAfterMs: claimed.waitMs };
  void send(email, caller).catch(async (err: unknown) => {
    log.warn({ err }, 'the mail to reset a password was not sent');
    await settleTry(claimed.claim, 'void').catch(() => null);
  });
  return { status: 'taken' };
}

/** Banned accounts and those with a public password get no mail. */
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
