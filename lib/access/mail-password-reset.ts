import 'server-only';
import { signReset } from '@/lib/account/reset-token';
import { secretLink } from '@/lib/account/secret-link';
import { toLocale } from '@/lib/account/user-locale';
import { sayAccountMail } from '@/lib/notify/account-mail';
import { deliverMail } from '@/lib/notify/send-mail';
import type { User } from '@/prisma/generated/client';

/** Sends the mail whose link gives an account another password. @throws what sending a mail throws */
export async function mailPasswordReset(user: User): Promise<void> {
  const locale = toLocale(user.locale);
  const link = secretLink('/reset-password', signReset(user), locale);
  // Each mail has a key of its own: a mail program may drop one whose Message-ID it knows.
  const key = `reset-${user.id}-${Date.now()}`;
  await deliverMail({ key, email: user.email, ...sayAccountMail('passwordReset', locale, link) });
}
