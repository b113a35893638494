import 'server-only';
import { routing } from '@/i18n/routing';
import type { SiteText } from '@/lib/contract/shapes/site-page';
import type { SitePage } from '@/lib/contract/words/site-page';
import { db } from '@/lib/db/client';

/** Returns a page's text in each language; empty where nobody has written it. @throws connection errors */
export async function listSiteTexts(page: SitePage): Promise<SiteText[]> {
  const rows = await db().siteText.findMany({ where: { page } });
  return routing.locales.map((locale) => {
    const row = rows.find((one) => one.locale === locale);
    return {
      locale,
      text: row?.text ?? '',
      version: row?.version ?? 0,
      changedAt: row?.changedAt.getTime() ?? null,
    };
  });
}
