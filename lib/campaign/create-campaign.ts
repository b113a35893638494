import 'server-only';
import type { Campaign, CreateCampaignInput } from '@/lib/contract/shapes/campaign';
import type { Db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { toCampaign } from './to-campaign';

/** Creates a campaign that belongs to `merchantId`. A slug can be used once. */
export async function createCampaign(
  tx: Db,
  merchantId: string,
  input: CreateCampaignInput,
): Promise<{ status: 'created'; campaign: Campaign } | { status: 'slug_taken' }> {
  const [row] = await tx.campaign.createManyAndReturn({
    data: { id: newId('camp'), merchantId, ...input },
    skipDuplicates: true,
  });
  return row
    ? { status: 'created', campaign: toCampaign({ ...row, _count: { sales: 0 } }) }
    : { status: 'slug_taken' };
}
