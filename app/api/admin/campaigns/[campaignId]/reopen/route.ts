import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import { reopenCampaign } from '@/lib/campaign/admin/archive-campaign';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.reopenCampaign, async ({ user, params, refuse }) => {
    const result = await reopenCampaign(user, params.campaignId);
    return result.status === 'changed' ? result.campaign : refuse('CAMPAIGN_NOT_FOUND');
  }),
);
