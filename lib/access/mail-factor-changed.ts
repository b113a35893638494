import 'server-only';
import { toLocale } from '@/lib/account/user-locale';
import { log } from '@/lib/http/log';
import { sayAccountMail } from '@/lib/notify/account-mail';
import { deliverMail } from '@/lib/notify/send-mail';
import type { User } from '@/prisma/generated/client';

/** `factorRemoved`: the last one, so the password alone signs in again; the two before it leave another. */
export type FactorMail =
  | 'factorAdded'
  | 'passkeyAdded'
  | 'appRemoved'
  | 'passkeyRemoved'
  | 'factorRemoved'
  | 'recoveryCodesRenewed'
  | 'recoveryCodeUsed';

/**
 * Tells an account's owner by mail what became of the second factor, so that whoever did not do it learns of it. Never
 * rejects: it is done, whatever becomes of the mail.
 */
export async function mailFactorChanged(
  { id, email, locale }: Pick<User, 'id' | 'email' | 'locale'>,
  what: FactorMail,
): Promise<void> {
  try {
    await deliverMail({
      key: `factor-${id}-${Date.now()}`,
      email,
      ...sayAccountMail(what, toLocale(locale)),
    });
  } catch (err) {
    log.warn({ userId: id, err }, 'the mail about a second factor was not sent');
  }
}
