import 'server-only';
import { secretLink } from '@/lib/account/secret-link';
import type { CurrentUser } from '@/lib/account/types';
import { signVerification } from '@/lib/account/verification-token';
import { sayAccountMail } from '@/lib/notify/account-mail';
import { deliverMail } from '@/lib/notify/send-mail';
import { settleTry } from '@/lib/tries/claim-try';
import { byInbox, claimRequest } from './claim-request';

const HOUR_MS = 3_600_000;

type SendVerificationResult = { status: 'sent' } | { status: 'too_soon'; retryAfterMs: number };

/**
 * Sends the mail by which a user shows that an address is theirs. One inbox gets at most one a minute, then fewer and
 * fewer, however many accounts name it in however many spellings.
 * @param address the client's, from `countedAddress`
 * @throws what sending a mail throws
 */
export async function sendVerification(
  user: Pick<CurrentUser, 'userId' | 'email' | 'locale'>,
  address: string | null = null,
): Promise<SendVerificationResult> {
  const claimed = await claimRequest('verification', address, [byInbox('verification', user.email, HOUR_MS)]);
  if (claimed.status === 'wait') return { status: 'too_soon', retryAfterMs: claimed.waitMs };
  const { userId, email, locale } = user;
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
