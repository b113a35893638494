import 'server-only';
import { recordAction } from '@/lib/audit/record-action';
import type { WebhookDeliveryView } from '@/lib/contract/shapes/webhook';
import { transaction } from '@/lib/db/transaction';
import type { Actor } from '../actor';
import { holdWebhook, type NotHeld } from './hold-webhook';
import { toDeliveryView } from './to-view';

/**
 * Lets a delivery be sent again, as it was. One that a worker has in hand may arrive twice. @throws NotAllowedError as
 * `mayLead`
 */
export const replayDelivery = (actor: Actor, shopId: string, webhookId: string, deliveryId: string) =>
  transaction(async (tx): Promise<WebhookDeliveryView | NotHeld | 'off' | 'no_delivery'> => {
    const webhook = await holdWebhook(tx, actor, shopId, webhookId);
    if (typeof webhook === 'string') return webhook;
    if (webhook.disabledAt) return 'off';
    if (!/^\d{1,18}$/.test(deliveryId)) return 'no_delivery';
    const where = { id: BigInt(deliveryId), endpointId: webhookId };
    const before = await tx.webhookDelivery.findUnique({ where });
    if (!before) return 'no_delivery';
    const now = new Date();
    const data = { status: 'waiting', attempts: 0, dueAt: now, nextAt: now };
    const row = await tx.webhookDelivery.update({ where, data });
    await recordAction(tx, actor, {
      action: 'webhook.replay',
      subject: { kind: 'webhook', id: webhookId },
      before: { status: before.status },
      after: { delivery: deliveryId, status: 'waiting' },
    });
    return toDeliveryView(row);
  });
