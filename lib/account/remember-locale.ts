import 'server-only';
import { language } from '@/lib/contract/shapes/account';
import { db } from '@/lib/db/client';

/**
 * From now on somebody gets mails in the language of the page where they have just signed in.
 * @param locale as the page says; anything but a language of the shop changes nothing.
 * @throws connection errors
 */
export async function rememberLocale(user: { id: string; locale: string }, locale: unknown): Promise<void> {
  const { data } = language.safeParse(locale);
  if (data === undefined || data === user.locale) return;
  await db().user.update({ where: { id: user.id }, data: { locale: data } });
}
