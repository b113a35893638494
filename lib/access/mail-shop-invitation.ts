import 'server-only';
import type { Locale } from '@/i18n/routing';
import { env } from '@/lib/env';
import { sayAccountMail } from '@/lib/notify/account-mail';
import { deliverMail } from '@/lib/notify/send-mail';
import { invitationLink } from './invitation-link';

type ShopInvitation = { id: string; email: string; token: string; shop: string; by: string };

/**
 * Sends the link that leads into a shop. What people have typed stands in quotes and on one line, and no address in it can
 * be followed: the mail is ours, and a stranger must not speak in it.
 * @param locale of whoever invites @throws what sending a mail throws
 */
export async function mailShopInvitation(
  { id, email, token, shop, by }: ShopInvitation,
  locale: Locale,
): Promise<void> {
  const values = { shop: harmless(shop), by: harmless(by), host: new URL(env().publicUrl).host };
  const said = sayAccountMail('shopInvitation', locale, { values, url: invitationLink(token, locale) });
  await deliverMail({ key: `invitation-${id}`, email, ...said });
}

/** Mail programs make links of whatever looks like an address. */
const harmless = (typed: string): string =>
  typed
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[.:/@\\]/g, ' ')
    .slice(0, 60);
