import 'server-only';
import type { WebhookView } from '@/lib/contract/shapes/webhook';
import { MAX_WEBHOOKS } from '@/lib/contract/words/webhook';
import { db } from '@/lib/db/client';
import type { Actor } from '../actor';
import { mayLead } from '../shop/may-lead';
import { toWebhookViews } from './to-view';

/** Lists the webhooks of a shop, oldest first. @throws NotAllowedError as `mayLead` */
export async function listWebhooks(
  actor: Actor,
  shopId: string,
): Promise<{ webhooks: WebhookView[] } | 'no_shop'> {
  if (!(await mayLead(db(), actor, shopId))) return 'no_shop';
  if ((await db().shop.count({ where: { id: shopId } })) === 0) return 'no_shop';
  const rows = await db().webhookEndpoint.findMany({
    where: { shopId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: MAX_WEBHOOKS,
  });
  return { webhooks: await toWebhookViews(db(), rows) };
}
