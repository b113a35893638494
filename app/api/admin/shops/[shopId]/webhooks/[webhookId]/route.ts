import { orRefusal } from '@/lib/admin/webhooks/answer-webhook';
import { editWebhook } from '@/lib/admin/webhooks/edit-webhook';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.editWebhook, async ({ user, params: { shopId, webhookId }, body }) =>
    orRefusal(await editWebhook(user, shopId, webhookId, body)),
  ),
);
