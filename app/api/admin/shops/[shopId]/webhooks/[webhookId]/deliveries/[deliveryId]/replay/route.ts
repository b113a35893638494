import { orRefusal } from '@/lib/admin/webhooks/answer-webhook';
import { replayDelivery } from '@/lib/admin/webhooks/replay-delivery';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.replayDelivery, async ({ user, params: { shopId, webhookId, deliveryId } }) =>
    orRefusal(await replayDelivery(user, shopId, webhookId, deliveryId)),
  ),
);
