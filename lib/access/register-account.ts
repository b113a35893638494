import 'server-only';
import { TooManyHashesError } from '@/lib/account/hash-password';
import { register } from '@/lib/account/register';
import type { Registration } from '@/lib/contract/shapes/account';
import { log } from '@/lib/http/log';
import { type Caller, countedOf } from './caller';
import { claimRequest } from './claim-request';
import { sendVerification } from './send-verification';

export type RegisterResult =
  | { status: 'registered'; userId: string }
  | { status: 'email_taken' }
  /** Too many registrations from this address; this one was not tried. */
  | { status: 'limited'; waitMs: number }
  /** The server is already hashing too many passwords; this one was not tried. */
  | { status: 'busy' };

/** Creates a shopper's account and sends the mail that verifies its address. */
export async function registerAccount(input: Registration, caller: Caller): Promise<RegisterResult> {
  const address = countedOf(caller);
  const claimed = await claimRequest('registration', address);
  if (claimed.status === 'wait') return { status: 'limited', waitMs: claimed.waitMs };
  try {
    const result = await register(input, { address });
    // The account exists even if this mail fails; the shopper can ask for it again.
    if (result.status === 'registered') void sendQuietly({ userId: result.userId, ...input }, caller);
    return result;
  } catch (error) {
    if (!(error instanceof TooManyHashesError)) throw error;
    return { status: 'busy' };
  }
}

async function sendQuietly(user: Parameters<typeof sendVerification>[0], caller: Caller): Promise<void> {
  try {
    await sendVerification(user, countedOf(caller));
  } catch (err) {
    log.warn({ userId: user.userId, err }, 'the mail to verify an address was not sent');
  }
}
