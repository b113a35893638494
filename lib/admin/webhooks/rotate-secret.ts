import 'server-only';
import { recordAction } from '@/lib/audit/record-action';
import { transaction } from '@/lib/db/transaction';
import { makeWebhookSecret, sealWebhookSecret } from '@/lib/webhook/webhook-secret';
import type { Actor } from '../actor';
import type { WithSecret } from './add-webhook';
import { holdWebhook, type NotHeld } from './hold-webhook';
import { toWebhookView } from './to-view';

const SIGNS_ALONG_MS = 86_400_000;

/**
 * Gives a webhook a new secret. The one before signs along for 24 h, so that its receiver can change over.
 * @returns the secret, which nobody is told again @throws NotAllowedError as `mayLead`
 */
export const rotateWebhookSecret = (actor: Actor, shopId: string, webhookId: string) =>
  transaction(async (tx): Promise<WithSecret | NotHeld> => {
    const webhook = await holdWebhook(tx, actor, shopId, webhookId);
    if (typeof webhook === 'string') return webhook;
    const secret = makeWebhookSecret();
    const row = await tx.webhookEndpoint.update({
      where: { id: webhookId },
      data: {
        ...sealWebhookSecret(webhookId, secret),
        oldSealedSecret: webhook.sealedSecret,
        oldKeyMark: webhook.keyMark,
        oldUntil: new Date(Date.now() + SIGNS_ALONG_MS),
      },
    });
    const view = await toWebhookView(tx, row);
    await recordAction(tx, actor, {
      action: 'webhook.rotate',
      subject: { kind: 'webhook', id: webhookId },
      before: null,
      after: { oldUntil: row.oldUntil?.getTime() },
    });
    return { webhook: view, secret };
  });
