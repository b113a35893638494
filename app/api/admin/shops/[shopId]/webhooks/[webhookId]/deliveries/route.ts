import { orRefusal } from '@/lib/admin/webhooks/answer-webhook';
import { listDeliveries } from '@/lib/admin/webhooks/list-deliveries';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.listDeliveries, async ({ user, params: { shopId, webhookId }, query }) =>
    orRefusal(await listDeliveries(user, shopId, webhookId, query)),
  ),
);
