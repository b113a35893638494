import 'server-only';
import { signReset } from '@/lib/account/reset-token';
import { secretLink } from '@/lib/account/secret-link';
import { toLocale } from '@/lib/account/user-locale';
import { sayAccountMail } from '@/lib/notify/account-mail';
import { deliverMail } from '@/lib/notify/send-mail';
import type { User } from '@/prisma/generated/client';

/** Sends the mail with which an account gets another password. @throws what sending a mail throws */
export async function mailPasswordReset(user: User): Promise<void> {
  const { id, email } = user;
  const locale = toLocale(user.locale);
  const url = secretLink('/reset-password', signReset({ ...user, userId: id }), locale);
  await deliverMail({ key: `reset-${id}`, email, ...sayAccountMail('passwordReset', locale, { url }) });
}
