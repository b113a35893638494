import 'server-only';
import type { DeliveryWish, WebhookDeliveryView } from '@/lib/contract/shapes/webhook';
import { db } from '@/lib/db/client';
import { decodeCursor, encodeCursor } from '@/lib/http/cursor';
import type { Actor } from '../actor';
import { findWebhook, type NotHeld } from './hold-webhook';
import { toDeliveryView } from './to-view';

type DeliveryPage = { deliveries: WebhookDeliveryView[]; nextCursor: string | null };

/** Returns one page of a webhook's deliveries, newest first; null for a foreign cursor. @throws NotAllowedError as `mayLead` */
export async function listDeliveries(
  actor: Actor,
  shopId: string,
  webhookId: string,
  { cursor, limit, status }: DeliveryWish,
): Promise<DeliveryPage | NotHeld | null> {
  const webhook = await findWebhook(db(), actor, shopId, webhookId);
  if (typeof webhook === 'string') return webhook;
  const before = cursor === undefined ? undefined : decodeCursor(cursor);
  if (before !== undefined && !/^\d{1,18}$/.test(before)) return null;
  const rows = await db().webhookDelivery.findMany({
    where: { endpointId: webhookId, status, id: before === undefined ? undefined : { lt: BigInt(before) } },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    deliveries: page.map(toDeliveryView),
    nextCursor: last && rows.length > limit ? encodeCursor(String(last.id)) : null,
  };
}
