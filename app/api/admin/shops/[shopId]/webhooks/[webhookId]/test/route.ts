import { orRefusal } from '@/lib/admin/webhooks/answer-webhook';
import { sendTest } from '@/lib/admin/webhooks/send-test';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.testWebhook, async ({ user, params: { shopId, webhookId } }) =>
    orRefusal(await sendTest(user, shopId, webhookId)),
  ),
);
