import 'server-only';
import type { Locale } from '@/i18n/routing';
import { secretLink } from '@/lib/account/secret-link';
import { env } from '@/lib/env';
import { cutText } from '@/lib/human-text';
import { sayAccountMail } from '@/lib/notify/account-mail';
import { deliverMail } from '@/lib/notify/send-mail';

type ShopInvitation = { id: string; email: string; token: string; shop: string; by: string };

/**
 * Sends the link that leads into a shop. The mail is ours, and strangers must not speak in it: their words stand in quotes
 * on one line, and nothing in them can be followed.
 * @param locale of the inviter @throws what sending a mail throws
 */
export async function mailInvitation(
  { id, email, token, shop, by }: ShopInvitation,
  locale: Locale,
): Promise<void> {
  const values = { shop: harmless(shop), by: harmless(by), host: new URL(env().publicUrl).host };
  const said = sayAccountMail('shopInvitation', locale, secretLink('/invite', token, locale), values);
  await deliverMail({ key: `invitation-${id}`, email, ...said });
}

/** Mail programs make links of whatever looks like an address. */
const harmless = (typed: string): string =>
  cutText(typed.replaceAll(/\s+/g, ' ').replaceAll(/[.:/@\\]/g, ' '), 60);
