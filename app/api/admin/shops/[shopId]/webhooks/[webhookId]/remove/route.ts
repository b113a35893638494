import { orRefusal } from '@/lib/admin/webhooks/answer-webhook';
import { removeWebhook } from '@/lib/admin/webhooks/remove-webhook';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.removeWebhook, async ({ user, params: { shopId, webhookId } }) =>
    orRefusal(await removeWebhook(user, shopId, webhookId)),
  ),
);
