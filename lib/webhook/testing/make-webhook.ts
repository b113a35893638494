import { WEBHOOK_KINDS, type WebhookKind } from '@/lib/contract/words/webhook';
import { db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { makeWebhookSecret, sealWebhookSecret } from '../webhook-secret';

/** For tests: makes a webhook of a shop, for all kinds. */
export async function makeWebhook(
  shopId: string,
  url: string,
  kinds: readonly WebhookKind[] = WEBHOOK_KINDS,
) {
  const [id, secret] = [newId('hook'), makeWebhookSecret()];
  await db().webhookEndpoint.create({
    data: { id, shopId, url, kinds: [...kinds], ...sealWebhookSecret(id, secret) },
  });
  return { id, secret };
}

/** Lists a webhook's deliveries, oldest first. */
export const deliveriesOf = (endpointId: string) =>
  db().webhookDelivery.findMany({ where: { endpointId }, orderBy: { id: 'asc' } });
