import type { Campaign } from '@/lib/contract/shapes/campaign';
import type { CampaignStatus } from '@/lib/contract/words/campaign';
import type { Campaign as CampaignRow } from '@/prisma/generated/client';

/** Counts the sales of the campaigns that are read. */
export const WITH_COUNT = { _count: { select: { sales: true } } } as const;

/** Turns a database row into the interface's shape. */
export const toCampaign = (row: CampaignRow & { _count: { sales: number } }): Campaign => ({
  campaignId: row.id,
  slug: row.slug,
  title: row.title,
  description: row.description,
  merchantId: row.merchantId,
  limitPerUser: row.limitPerUser,
  status: row.status as CampaignStatus,
  sales: row._count.sales,
  version: row.version,
});
