import 'server-only';
import { type EmailChangeLink, signEmailChange, UNDO_LIFETIME_MS } from '@/lib/account/email-change-token';
import { secretLink } from '@/lib/account/secret-link';
import { toLocale } from '@/lib/account/user-locale';
import { sayAccountMail } from '@/lib/notify/account-mail';
import { deliverMail } from '@/lib/notify/send-mail';
import type { EmailChange } from '@/prisma/generated/client';

const PAGES: Record<EmailChangeLink, string> = { confirm: '/confirm-email', stop: '/stop-email' };
const UNDO_DAYS = String(UNDO_LIFETIME_MS / 86_400_000);

/**
 * Sends the two mails about a change of address that was asked for: the link that applies it to the new address, and the
 * link that stops it to the old one. If the new address is not free, its mail has no link and says so.
 * @param locale of the account
 * @throws what sending a mail throws
 */
export async function mailEmailAsked(change: EmailChange, locale: string, isFree: boolean): Promise<void> {
  const { id, oldEmail, newEmail } = change;
  const language = toLocale(locale);
  const toNew = isFree
    ? sayAccountMail('emailConfirm', language, linkOf('confirm', change, locale))
    : sayAccountMail('emailInUse', language);
  const toOld = sayAccountMail('emailAsked', language, linkOf('stop', change, locale), { email: newEmail });
  await Promise.all([
    deliverMail({ key: `email-confirm-${id}`, email: newEmail, ...toNew }),
    deliverMail({ key: `email-asked-${id}`, email: oldEmail, ...toOld }),
  ]);
}

/** Tells the old address that the change is made, and how to undo it. @throws what sending a mail throws */
export async function mailEmailChanged(change: EmailChange, locale: string): Promise<void> {
  const { id, oldEmail, newEmail } = change;
  const values = { email: newEmail, days: UNDO_DAYS };
  const said = sayAccountMail('emailChanged', toLocale(locale), linkOf('stop', change, locale), values);
  await deliverMail({ key: `email-changed-${id}`, email: oldEmail, ...said });
}

const linkOf = (link: EmailChangeLink, { id }: EmailChange, locale: string): string =>
  secretLink(PAGES[link], signEmailChange(link, id), toLocale(locale));
