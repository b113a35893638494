import 'server-only';
import { inboxOf } from '@/lib/account/inbox-of';
import { secretLink } from '@/lib/account/secret-link';
import type { CurrentUser } from '@/lib/account/types';
import { signVerification } from '@/lib/account/verification-token';
import { sayAccountMail } from '@/lib/notify/account-mail';
import { deliverMail } from '@/lib/notify/send-mail';
import { settleTry } from '@/lib/tries/claim-try';
import { byInbox, byRequester, claimRequest } from './claim-request';

/** The longest wait for the mails that other accounts had sent to the same inbox. */
const LONGEST_INBOX_WAIT_MS = 5 * 60_000;

type SendVerificationResult = { status: 'sent' } | { status: 'too_soon'; retryAfterMs: number };

/**
 * Sends the mail by which a user shows that an address is theirs. An account gets at most one a minute, then fewer and
 * fewer; so do all accounts together that name an inbox in other spellings than its own.
 * @param address the client's, from `countedAddress`
 * @throws what sending a mail throws
 */
export async function sendVerification(
  user: Pick<CurrentUser, 'userId' | 'email' | 'locale'>,
  address: string | null = null,
): Promise<SendVerificationResult> {
  const { userId, email, locale } = user;
  // A stranger who registers victim+x@host must not keep victim@host from being verified.
  const isOwnSpelling = inboxOf(email) === email;
  const claimed = await claimRequest('verification', address, [
    byRequester('verification', userId),
    ...(isOwnSpelling ? [] : [byInbox('verification', email, LONGEST_INBOX_WAIT_MS)]),
  ]);
  if (claimed.status === 'wait') return { status: 'too_soon', retryAfterMs: claimed.waitMs };
  const link = secretLink('/verify-email', signVerification(user), locale);
  try {
    // Each mail has a key of its own: a mail program may drop one whose Message-ID it knows.
    await deliverMail({
      key: `verify-${userId}-${Date.now()}`,
      email,
      ...sayAccountMail('verification', locale, link),
    });
  } catch (error) {
    await settleTry(claimed.claim, 'void');
    throw error;
  }
  return { status: 'sent' };
}
