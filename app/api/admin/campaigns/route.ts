import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import { createCampaign } from '@/lib/campaign/admin/create-campaign';
import { listAdminCampaigns } from '@/lib/campaign/admin/list-admin-campaigns';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.listCampaigns, ({ user, query }) => listAdminCampaigns(user, query)),
  serve(contract.createCampaign, async ({ user, body, refuse }) => {
    const result = await createCampaign(user, body);
    if (result.status === 'created') return result.campaign;
    if (result.status === 'no_shop') return refuse('SHOP_NOT_FOUND');
    return refuse(result.status === 'slug_taken' ? 'SLUG_TAKEN' : 'CREATED_OTHERWISE');
  }),
);
