import 'server-only';
import type { Actor } from '@/lib/actor/actor';
import type { Campaign, EditCampaignInput } from '@/lib/contract/shapes/campaign';
import { type ChangeCampaignResult, changeCampaign } from './change-campaign';

type EditCampaignResult = ChangeCampaignResult<
  { status: 'version_conflict'; current: Campaign } | { status: 'limit_fixed' }
>;

/**
 * Edits a campaign based on the version the editor saw. Once a sale of it is published, the limit per person can only
 * rise: shoppers rely on it, and what they have bought can't be taken back.
 */
export function editCampaign(
  actor: Actor,
  campaignId: string,
  { version, ...changes }: EditCampaignInput,
): Promise<EditCampaignResult> {
  return changeCampaign<{ status: 'version_conflict'; current: Campaign } | { status: 'limit_fixed' }>(
    actor,
    campaignId,
    {
      action: 'campaign.edit',
      refuse: async (campaign, tx) => {
        if (campaign.version !== version) return { status: 'version_conflict', current: campaign };
        const { limitPerUser = campaign.limitPerUser } = changes;
        if (limitPerUser === campaign.limitPerUser) return null;
        const rises =
          limitPerUser !== null && campaign.limitPerUser !== null && limitPerUser > campaign.limitPerUser;
        if (rises) return null;
        const published = await tx.sale.count({ where: { campaignId, status: { not: 'draft' } } });
        return published > 0 ? { status: 'limit_fixed' } : null;
      },
      data: changes,
    },
  );
}
