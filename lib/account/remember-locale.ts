import 'server-only';
import { language } from '@/lib/contract/shapes/account';
import { db } from '@/lib/db/client';

/**
 * Stores the language of the page where a user has just signed in; they get mails in it from now on, unless they have
 * chosen one.
 * @param locale as the page says; ignored unless it is a language of the shop.
 * @throws connection errors
 */
export async function rememberLocale(
  user: { id: string; locale: string; isLocaleChosen: boolean },
  locale: unknown,
): Promise<void> {
  const { data } = language.safeParse(locale);
  if (data === undefined || data === user.locale || user.isLocaleChosen) return;
  await db().user.update({ where: { id: user.id }, data: { locale: data } });
}
