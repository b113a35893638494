import 'server-only';
import { toLocale } from '@/lib/account/user-locale';
import { log } from '@/lib/http/log';
import { sayAccountMail } from '@/lib/notify/account-mail';
import { deliverMail } from '@/lib/notify/send-mail';

/**
 * Tells an account's owner by mail that its password was changed, so that an owner who did not change it learns of it.
 * Never rejects: the password is changed, whatever becomes of the mail.
 */
export async function mailPasswordChanged(
  userId: string,
  { email, locale }: { email: string; locale: string },
): Promise<void> {
  try {
    const said = sayAccountMail('passwordChanged', toLocale(locale));
    await deliverMail({ key: `password-${userId}-${Date.now()}`, email, ...said });
  } catch (err) {
    log.warn({ userId, err }, 'the mail about a changed password was not sent');
  }
}
