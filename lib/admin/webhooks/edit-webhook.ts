import 'server-only';
import { recordAction } from '@/lib/audit/record-action';
import type { WebhookEdit, WebhookView } from '@/lib/contract/shapes/webhook';
import { transaction } from '@/lib/db/transaction';
import type { Actor } from '../actor';
import { holdWebhook, type NotHeld } from './hold-webhook';
import { toWebhookView } from './to-view';

const OFF = { disabledWhy: 'staff' };
/** What has failed before counts no more. */
const ON = { disabledAt: null, disabledWhy: null, failingSince: null, restUntil: null };

/** Gives a webhook other kinds, or turns it off or on. @throws NotAllowedError as `mayLead` */
export const editWebhook = (actor: Actor, shopId: string, webhookId: string, edit: WebhookEdit) =>
  transaction(async (tx): Promise<WebhookView | NotHeld> => {
    const webhook = await holdWebhook(tx, actor, shopId, webhookId);
    if (typeof webhook === 'string') return webhook;
    const wasOn = webhook.disabledAt === null;
    const { kinds = webhook.kinds, enabled = wasOn } = edit;
    const isOther = enabled !== wasOn || kinds.join() !== webhook.kinds.join();
    if (!isOther) return toWebhookView(tx, webhook);
    const standing = enabled === wasOn ? {} : enabled ? ON : { ...OFF, disabledAt: new Date() };
    const row = await tx.webhookEndpoint.update({
      where: { id: webhookId },
      data: { kinds: [...kinds], ...standing },
    });
    const view = await toWebhookView(tx, row);
    await recordAction(tx, actor, {
      action: 'webhook.edit',
      subject: { kind: 'webhook', id: webhookId },
      before: { kinds: webhook.kinds, enabled: wasOn },
      after: { kinds, enabled },
    });
    return view;
  });
