import { orRefusal } from '@/lib/admin/webhooks/answer-webhook';
import { rotateWebhookSecret } from '@/lib/admin/webhooks/rotate-secret';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.rotateWebhookSecret, async ({ user, params: { shopId, webhookId } }) =>
    orRefusal(await rotateWebhookSecret(user, shopId, webhookId)),
  ),
);
