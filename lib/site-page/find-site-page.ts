import 'server-only';
import { type Locale, routing } from '@/i18n/routing';
import type { SitePage } from '@/lib/contract/words/site-page';
import { db } from '@/lib/db/client';

/**
 * Finds a page's text in a language, else in the shop's own one, else in the first one that has it.
 * @returns the text with its language; null: nobody has written the page
 * @throws connection errors
 */
export async function findSitePage(
  page: SitePage,
  locale: Locale,
): Promise<{ locale: Locale; text: string } | null> {
  const rows = await db().siteText.findMany({
    where: { page, text: { not: '' } },
    select: { locale: true, text: true },
  });
  for (const language of [locale, routing.defaultLocale, ...routing.locales]) {
    const found = rows.find((row) => row.locale === language);
    if (found) return { locale: language, text: found.text };
  }
  return null;
}
