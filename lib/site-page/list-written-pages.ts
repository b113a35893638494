import 'server-only';
import { SITE_PAGES, type SitePage } from '@/lib/contract/words/site-page';
import { type Db, db } from '@/lib/db/client';

/** Lists the pages that are written in any language, with the latest change of each. @throws connection errors */
export async function listWrittenPages(client: Db = db()): Promise<{ page: SitePage; changedAt: Date }[]> {
  const rows = await client.siteText.findMany({
    where: { text: { not: '' } },
    select: { page: true, changedAt: true },
    orderBy: { changedAt: 'desc' },
  });
  return SITE_PAGES.flatMap((page) => {
    const latest = rows.find((row) => row.page === page);
    return latest ? [{ page, changedAt: latest.changedAt }] : [];
  });
}
