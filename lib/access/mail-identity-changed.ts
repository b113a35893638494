import 'server-only';
import { nameOfServer } from '@/lib/account/identities/name-of-server';
import { toLocale } from '@/lib/account/user-locale';
import { log } from '@/lib/http/log';
import { sayAccountMail } from '@/lib/notify/account-mail';
import { deliverMail } from '@/lib/notify/send-mail';
import type { User } from '@/prisma/generated/client';

/**
 * Tells an account's owner by mail which sign-in of another server opens it, or does no more, so that whoever did not do it
 * learns of it. Never rejects: it is done, whatever becomes of the mail.
 */
export async function mailIdentityChanged(
  { id, email, locale }: Pick<User, 'id' | 'email' | 'locale'>,
  what: 'identityJoined' | 'identityRemoved',
  issuer: string,
): Promise<void> {
  const name = nameOfServer(issuer);
  try {
    await deliverMail({
      key: `identity-${id}-${Date.now()}`,
      email,
      ...sayAccountMail(what, toLocale(locale), { values: { name } }),
    });
  } catch (err) {
    log.warn({ userId: id, err }, 'the mail about a sign-in of another server was not sent');
  }
}
