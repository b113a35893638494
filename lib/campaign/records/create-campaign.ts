import 'server-only';
import type { Campaign, CreateCampaignInput } from '@/lib/contract/shapes/campaign';
import type { Db } from '@/lib/db/client';
import { toCampaign } from './to-campaign';

/** Creates a campaign that belongs to `merchantId`. @returns null if its id or slug is in use */
export async function createCampaign(
  tx: Db,
  merchantId: string,
  campaignId: string,
  { requestId: _, shopId: _shop, ...input }: CreateCampaignInput,
): Promise<Campaign | null> {
  const [row] = await tx.campaign.createManyAndReturn({
    data: { id: campaignId, merchantId, ...input },
    skipDuplicates: true,
  });
  return row ? toCampaign({ ...row, _count: { sales: 0 } }) : null;
}
