import 'server-only';
import { pageAddress } from '@/i18n/page-address';
import type { CurrentUser } from '@/lib/account/types';
import { signVerification } from '@/lib/account/verification-token';
import { env } from '@/lib/env';
import { mailWords } from '@/lib/notify/mail-words';
import { deliverMail } from '@/lib/notify/send-mail';
import { cacheRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

const WAIT_MS = 60_000;

export type SendVerificationResult = { status: 'sent' } | { status: 'too_soon'; retryAfterMs: number };

/**
 * Sends the mail by which somebody shows that an address is theirs; at most once a minute for an account, whoever asks.
 * @throws what sending a mail throws
 */
export async function sendVerification(
  user: Pick<CurrentUser, 'userId' | 'email' | 'locale'>,
): Promise<SendVerificationResult> {
  const key = keys.verificationSent(user.userId);
  if ((await cacheRedis().set(key, '1', 'PX', WAIT_MS, 'NX')) === null) {
    const leftMs = await cacheRedis().pttl(key);
    return { status: 'too_soon', retryAfterMs: Math.max(1, leftMs) };
  }
  const link = new URL(pageAddress('/verify-email', user.locale), env().publicUrl);
  // Behind #: not sent to any server, so in no log either.
  link.hash = signVerification(user);
  const { subject, text, ifNotYou } = mailWords(user.locale).verification;
  try {
    await deliverMail({
      key: `verify-${user.userId}`,
      email: user.email,
      subject,
      text: `${text}\n\n${link.href}\n\n${ifNotYou}\n`,
    });
  } catch (error) {
    await cacheRedis().del(key);
    throw error;
  }
  return { status: 'sent' };
}
