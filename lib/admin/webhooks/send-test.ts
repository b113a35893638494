import 'server-only';
import { type WebhookDeliveryView, webhookEvent } from '@/lib/contract/shapes/webhook';
import { TEST_KIND } from '@/lib/contract/words/webhook';
import { transaction } from '@/lib/db/transaction';
import { newId } from '@/lib/ids/new-id';
import type { Actor } from '../actor';
import { holdWebhook, type NotHeld } from './hold-webhook';
import { toDeliveryView } from './to-view';

/** Not more of them wait at a time. */
const MOST_TESTS = 5;

/** Writes a test event for a webhook; a worker sends it a moment later. @throws NotAllowedError as `mayLead` */
export const sendTest = (actor: Actor, shopId: string, webhookId: string) =>
  transaction(async (tx): Promise<WebhookDeliveryView | NotHeld | 'off' | 'tests_wait'> => {
    const webhook = await holdWebhook(tx, actor, shopId, webhookId);
    if (typeof webhook === 'string') return webhook;
    if (webhook.disabledAt) return 'off';
    const open = { endpointId: webhookId, kind: TEST_KIND, status: 'waiting' };
    if ((await tx.webhookDelivery.count({ where: open, take: MOST_TESTS })) >= MOST_TESTS)
      return 'tests_wait';
    const event = { type: TEST_KIND, timestamp: new Date().toISOString(), data: { webhookId } };
    const body = JSON.stringify(webhookEvent.parse(event));
    const data = { endpointId: webhookId, eventId: newId('evt'), kind: TEST_KIND, body };
    return toDeliveryView(await tx.webhookDelivery.create({ data }));
  });
