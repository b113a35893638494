import 'server-only';
import { toLocale } from '@/lib/account/user-locale';
import type { OwnerMail } from '@/lib/contract/words/mail';
import { log } from '@/lib/http/log';
import { sayAccountMail } from './account-mail';
import { deliverMail } from './send-mail';

/**
 * Tells an account's owner by mail, so that an owner who did not do it learns of it. Never rejects: it is done, whatever
 * becomes of the mail.
 * @param values of the `{names}` in its text
 */
export async function tellOwner(
  what: OwnerMail,
  { userId, email, locale }: { userId: string; email: string; locale: string },
  values?: Record<string, string>,
): Promise<void> {
  try {
    await deliverMail({
      key: `${what}-${userId}-${Date.now()}`,
      email,
      ...sayAccountMail(what, toLocale(locale), undefined, values),
    });
  } catch (err) {
    log.warn({ userId, what, err }, 'a mail to the owner of an account was not sent');
  }
}
