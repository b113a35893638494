import { addWebhook } from '@/lib/admin/webhooks/add-webhook';
import { orRefusal } from '@/lib/admin/webhooks/answer-webhook';
import { listWebhooks } from '@/lib/admin/webhooks/list-webhooks';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.listWebhooks, async ({ user, params }) =>
    orRefusal(await listWebhooks(user, params.shopId)),
  ),
  serve(contract.addWebhook, async ({ user, params, body }) =>
    orRefusal(await addWebhook(user, params.shopId, body)),
  ),
);
