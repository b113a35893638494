import 'server-only';
import { recordAction } from '@/lib/audit/record-action';
import { transaction } from '@/lib/db/transaction';
import type { Actor } from '../actor';
import { holdWebhook, type NotHeld } from './hold-webhook';

/** Removes a webhook with its deliveries. @throws NotAllowedError as `mayLead` */
export const removeWebhook = (actor: Actor, shopId: string, webhookId: string) =>
  transaction(async (tx): Promise<{ webhookId: string } | NotHeld> => {
    const webhook = await holdWebhook(tx, actor, shopId, webhookId);
    if (typeof webhook === 'string') return webhook;
    await tx.webhookEndpoint.delete({ where: { id: webhookId } });
    await recordAction(tx, actor, {
      action: 'webhook.remove',
      subject: { kind: 'webhook', id: webhookId },
      before: { shop: shopId, host: new URL(webhook.url).host, kinds: webhook.kinds },
      after: null,
    });
    return { webhookId };
  });
