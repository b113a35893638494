import 'server-only';
import type { Db } from '@/lib/db/client';
import { lockShop } from '@/lib/shop/lock-shop';
import type { WebhookEndpoint } from '@/prisma/generated/client';
import type { Actor } from '../actor';
import { mayLead } from '../shop/may-lead';

export type NotHeld = 'no_shop' | 'no_webhook';

/**
 * Finds a webhook for a change in this transaction, and locks its shop.
 * @returns why not: to the actor there is no such shop, or no such webhook of it @throws NotAllowedError as `mayLead`
 */
export async function holdWebhook(
  tx: Db,
  actor: Actor,
  shopId: string,
  webhookId: string,
): Promise<WebhookEndpoint | NotHeld> {
  if (!(await lockShop(tx, shopId)) || !(await mayLead(tx, actor, shopId))) return 'no_shop';
  return (await tx.webhookEndpoint.findUnique({ where: { id: webhookId, shopId } })) ?? 'no_webhook';
}

/** Does the same for who only looks. */
export async function findWebhook(
  tx: Db,
  actor: Actor,
  shopId: string,
  webhookId: string,
): Promise<WebhookEndpoint | NotHeld> {
  if (!(await mayLead(tx, actor, shopId))) return 'no_shop';
  const webhook = await tx.webhookEndpoint.findUnique({ where: { id: webhookId, shopId } });
  if (webhook) return webhook;
  return (await tx.shop.count({ where: { id: shopId } })) > 0 ? 'no_webhook' : 'no_shop';
}
