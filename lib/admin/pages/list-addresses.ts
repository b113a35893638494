import 'server-only';
import { db } from '@/lib/db/client';
import { listWrittenPages } from '@/lib/site-page/list-written-pages';

/** A search engine reads at most 50,000 addresses of a sitemap; these times the languages stay below that. */
const MOST_SALES = 4_000;
const MOST_CAMPAIGNS = 1_000;

export type ListedAddress = { path: string; changedAt: Date };

/** Lists the pages that search engines should know: the shop's own pages, sales that were published and their campaigns, the latest first. */
export async function listAddresses(): Promise<ListedAddress[]> {
  const [sales, campaigns, own] = await Promise.all([
    db().sale.findMany({
      where: { status: { not: 'draft' } },
      select: { slug: true, updatedAt: true },
      orderBy: [{ startsAt: 'desc' }, { id: 'desc' }],
      take: MOST_SALES,
    }),
    db().campaign.findMany({
      where: { sales: { some: { status: { not: 'draft' } } } },
      select: { slug: true, updatedAt: true },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: MOST_CAMPAIGNS,
    }),
    listWrittenPages(),
  ]);
  return [
    ...own.map(({ page, changedAt }) => ({ path: `/info/${page}`, changedAt })),
    ...campaigns.map(({ slug, updatedAt }) => ({ path: `/campaigns/${slug}`, changedAt: updatedAt })),
    ...sales.map(({ slug, updatedAt }) => ({ path: `/sales/${slug}`, changedAt: updatedAt })),
  ];
}
