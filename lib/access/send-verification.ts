import 'server-only';
import { inboxOf } from '@/lib/account/inbox-of';
import { secretLink } from '@/lib/account/secret-link';
import type { CurrentUser } from '@/lib/account/types';
import { signVerification } from '@/lib/account/verification-token';
import { sayAccountMail } from '@/lib/notify/account-mail';
import { deliverMail } from '@/lib/notify/send-mail';
import { keys } from '@/lib/redis/keys';
import { settleTry } from '@/lib/tries/claim-try';
import { hashSubject } from '@/lib/tries/hash-subject';
import type { TryCounter } from '@/lib/tries/types';
import { claimRequest } from './claim-request';

const MINUTE_MS = 60_000;

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
  const claimed = await claimRequest('verification', address, [byInbox(user.email)]);
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

const byInbox = (email: string): TryCounter => ({
  key: keys.tries('verification', 'inbox', hashSubject(inboxOf(email))),
  kind: 'ahead',
  free: 1,
  baseMs: MINUTE_MS,
  maxMs: 60 * MINUTE_MS,
  keepMs: 24 * 60 * MINUTE_MS,
});
