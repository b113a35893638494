import 'server-only';
import { isGuessable } from '@/lib/account/guessable-password';
import { type ComeBack, comeBackOf } from '@/lib/account/password-queue';
import { register } from '@/lib/account/register';
import type { Registration } from '@/lib/contract/shapes/account';
import { log } from '@/lib/http/log';
import { settleTry } from '@/lib/tries/claim-try';
import { type Caller, countedOf } from './caller';
import { claimRequest } from './claim-request';
import { sendVerification } from './send-verification';
import { readTurn, spendTurn } from './turn-cookie';

export type RegisterResult =
  | { status: 'registered'; userId: string }
  | { status: 'email_taken' }
  | { status: 'guessable' }
  /** Too many registrations from this address; this one was not tried. */
  | { status: 'limited'; waitMs: number }
  /** Too many passwords wait; this registration was not tried, and does not count. */
  | { status: 'busy'; comeBack: ComeBack };

/** Creates a shopper's account and sends the mail that verifies its address. */
export async function registerAccount(input: Registration, caller: Caller): Promise<RegisterResult> {
  if (isGuessable(input.password, input)) return { status: 'guessable' };
  const address = countedOf(caller);
  const claimed = await claimRequest('registration', address);
  if (claimed.status === 'wait') return { status: 'limited', waitMs: claimed.waitMs };
  const since = readTurn(caller.headers.get('cookie'), input.email);
  try {
    const result = await register(input, { address, since });
    if (since !== null) spendTurn(input.email);
    // The account exists even if this mail fails; the shopper can ask for it again.
    if (result.status === 'registered') void sendQuietly({ userId: result.userId, ...input }, caller);
    return result;
  } catch (error) {
    const comeBack = comeBackOf(error);
    if (!comeBack) throw error;
    await settleTry(claimed.claim, 'void');
    return { status: 'busy', comeBack };
  }
}

async function sendQuietly(user: Parameters<typeof sendVerification>[0], caller: Caller): Promise<void> {
  try {
    await sendVerification(user, countedOf(caller));
  } catch (err) {
    log.warn({ userId: user.userId, err }, 'the mail to verify an address was not sent');
  }
}
