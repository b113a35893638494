import 'server-only';
import { signVerification } from '@/lib/account/verification-token';
import { env } from '@/lib/env';
import { deliverMail } from '@/lib/notify/send-mail';
import { cacheRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

const WAIT_MS = 60_000;

export type SendVerificationResult = { status: 'sent' } | { status: 'too_soon'; retryAfterMs: number };

/**
 * Sends the mail by which somebody shows that an address is theirs; at most once a minute for an account, whoever asks.
 * @throws what sending a mail throws
 */
export async function sendVerification(user: {
  userId: string;
  email: string;
}): Promise<SendVerificationResult> {
  const key = keys.verificationSent(user.userId);
  if ((await cacheRedis().set(key, '1', 'PX', WAIT_MS, 'NX')) === null) {
    const leftMs = await cacheRedis().pttl(key);
    return { status: 'too_soon', retryAfterMs: Math.max(1, leftMs) };
  }
  const link = new URL('/verify-email', env().publicUrl);
  // Behind #: not sent to any server, so in no log either.
  link.hash = signVerification(user);
  try {
    await deliverMail({
      key: `verify-${user.userId}`,
      email: user.email,
      subject: 'Is this your e-mail address?',
      text: `Somebody, probably you, has made an account with this address. To show that it is yours, open this page within a day:\n\n${link.href}\n\nIf it was not you, you need not do anything.\n`,
    });
  } catch (error) {
    await cacheRedis().del(key);
    throw error;
  }
  return { status: 'sent' };
}
