import 'server-only';
import { type EmailChangeLink, signEmailChange, UNDO_LIFETIME_MS } from '@/lib/account/email-change-token';
import { secretLink } from '@/lib/account/secret-link';
import { toLocale } from '@/lib/account/user-locale';
import { sayAccountMail } from '@/lib/notify/account-mail';
import { deliverMail } from '@/lib/notify/send-mail';
import type { EmailChange } from '@/prisma/generated/client';

type Change = Pick<EmailChange, 'id' | 'oldEmail' | 'newEmail'>;
const UNDO_DAYS = String(UNDO_LIFETIME_MS / 86_400_000);

/**
 * Sends the two mails about a change of address that was asked for: the link that applies it to the new address, and to
 * the old one the link that stops it. If another account has the new address, that mail has no link and says so.
 * @param locale of the account
 * @throws what sending a mail throws
 */
export async function mailEmailChange(change: Change, locale: string, isFree: boolean): Promise<void> {
  const { id, oldEmail, newEmail } = change;
  const language = toLocale(locale);
  const toNew = isFree
    ? sayAccountMail('confirmEmail', language, { url: linkOf('confirm', change, locale) })
    : sayAccountMail('emailInUse', language);
  const toOld = sayAccountMail('emailAsked', language, {
    values: { email: newEmail },
    url: linkOf('stop', change, locale),
  });
  await Promise.all([
    deliverMail({ key: `email-confirm-${id}`, email: newEmail, ...toNew }),
    deliverMail({ key: `email-asked-${id}`, email: oldEmail, ...toOld }),
  ]);
}

/** Tells the old address that the change is made, and how to undo it. @throws what sending a mail throws */
export async function mailEmailChanged(change: Change, locale: string): Promise<void> {
  const { id, oldEmail, newEmail } = change;
  const said = sayAccountMail('emailChanged', toLocale(locale), {
    values: { email: newEmail, days: UNDO_DAYS },
    url: linkOf('stop', change, locale),
  });
  await deliverMail({ key: `email-changed-${id}`, email: oldEmail, ...said });
}

const PAGES: Record<EmailChangeLink, string> = { confirm: '/confirm-email', stop: '/stop-email' };

const linkOf = (link: EmailChangeLink, { id }: Change, locale: string): string =>
  secretLink(PAGES[link], signEmailChange(link, id), toLocale(locale));
