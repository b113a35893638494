import 'server-only';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { db } from '@/lib/db/client';
import { SALE_PARTS, toSaleInfo } from '@/lib/sale/records/to-sale-info';

/** The most sales of a campaign that a page or view shows. */
export const MAX_CAMPAIGN_SALES = 200;

type CampaignPage = {
  slug: string;
  title: string;
  description: string;
  limitPerUser: number | null;
  /** Published and closed ones, the first start first. */
  sales: SaleInfo[];
};

/** Returns what the static page of a campaign shows, straight from Postgres; null before a sale of it is published. */
export async function findCampaignPage(slug: string): Promise<CampaignPage | null> {
  // Postgres refuses text with a zero byte.
  if (slug.length > 80 || slug.includes('\0')) return null;
  const row = await db().campaign.findUnique({
    where: { slug },
    include: {
      sales: {
        where: { status: { not: 'draft' } },
        include: SALE_PARTS,
        orderBy: [{ startsAt: 'asc' }, { id: 'asc' }],
        take: MAX_CAMPAIGN_SALES,
      },
    },
  });
  if (!row || row.sales.length === 0) return null;
  const { title, description, limitPerUser, sales } = row;
  return { slug, title, description, limitPerUser, sales: sales.map(toSaleInfo) };
}
