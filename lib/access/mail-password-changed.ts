import 'server-only';
import { toLocale } from '@/lib/account/user-locale';
import { log } from '@/lib/http/log';
import { sayAccountMail } from '@/lib/notify/account-mail';
import { deliverMail } from '@/lib/notify/send-mail';
import type { User } from '@/prisma/generated/client';

/**
 * Tells an account's owner by mail that its password was changed, so that whoever did not change it learns of it. Never
 * rejects: the password is changed, whatever becomes of the mail.
 */
export async function mailPasswordChanged({
  id,
  email,
  locale,
}: Pick<User, 'id' | 'email' | 'locale'>): Promise<void> {
  try {
    await deliverMail({
      key: `password-${id}-${Date.now()}`,
      email,
      ...sayAccountMail('passwordChanged', toLocale(locale)),
    });
  } catch (err) {
    log.warn({ userId: id, err }, 'the mail about a changed password was not sent');
  }
}
