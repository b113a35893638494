import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import { editCampaign } from '@/lib/campaign/admin/edit-campaign';
import { readCampaignView } from '@/lib/campaign/admin/read-campaign-view';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(
    contract.readAdminCampaign,
    async ({ user, params, refuse }) =>
      (await readCampaignView(user, params.campaignId)) ?? refuse('CAMPAIGN_NOT_FOUND'),
  ),
  serve(contract.editCampaign, async ({ user, params, body, refuse }) => {
    const result = await editCampaign(user, params.campaignId, body);
    switch (result.status) {
      case 'changed':
        return result.campaign;
      case 'not_found':
        return refuse('CAMPAIGN_NOT_FOUND');
      case 'limit_fixed':
        return refuse('CAMPAIGN_LIMIT_FIXED');
      case 'version_conflict':
        return refuse('VERSION_CONFLICT', {
          extra: { version: result.current.version, current: result.current },
        });
    }
  }),
);
