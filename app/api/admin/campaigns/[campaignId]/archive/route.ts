import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import { archiveCampaign } from '@/lib/campaign/admin/archive-campaign';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.archiveCampaign, async ({ user, params, refuse }) => {
    const result = await archiveCampaign(user, params.campaignId);
    if (result.status === 'changed') return result.campaign;
    return refuse(result.status === 'in_use' ? 'CAMPAIGN_IN_USE' : 'CAMPAIGN_NOT_FOUND');
  }),
);
