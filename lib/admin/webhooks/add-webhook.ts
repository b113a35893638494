import 'server-only';
import { recordAction } from '@/lib/audit/record-action';
import type { NewWebhook, WebhookView } from '@/lib/contract/shapes/webhook';
import { MAX_WEBHOOKS } from '@/lib/contract/words/webhook';
import { transaction } from '@/lib/db/transaction';
import { env } from '@/lib/env';
import { newId } from '@/lib/ids/new-id';
import { isPublicHttps } from '@/lib/settings/kinds';
import { lockShop } from '@/lib/shop/lock-shop';
import { makeWebhookSecret, sealWebhookSecret } from '@/lib/webhook/webhook-secret';
import type { Actor } from '../actor';
import { mayLead } from '../shop/may-lead';
import { toWebhookView } from './to-view';

export type WithSecret = { webhook: WebhookView; secret: string };

/**
 * Adds a webhook to a shop. A name that leads to a private address is found out at each post, not here.
 * @returns its secret, which nobody is told again, or why not @throws NotAllowedError as `mayLead`
 */
export const addWebhook = (actor: Actor, shopId: string, { url, kinds }: NewWebhook) =>
  transaction(async (tx): Promise<WithSecret | 'no_shop' | 'full' | 'refused'> => {
    if (!(await lockShop(tx, shopId)) || !(await mayLead(tx, actor, shopId))) return 'no_shop';
    if (!env().saleWebhookPrivate && !isPublicHttps(url)) return 'refused';
    if ((await tx.webhookEndpoint.count({ where: { shopId } })) >= MAX_WEBHOOKS) return 'full';
    const [id, secret] = [newId('hook'), makeWebhookSecret()];
    const row = await tx.webhookEndpoint.create({
      data: { id, shopId, url, kinds, ...sealWebhookSecret(id, secret) },
    });
    await recordAction(tx, actor, {
      action: 'webhook.add',
      subject: { kind: 'webhook', id },
      before: null,
      after: { shop: shopId, host: new URL(url).host, kinds },
    });
    return { webhook: await toWebhookView(tx, row), secret };
  });
