import 'server-only';
import type { WebhookDeliveryView, WebhookView } from '@/lib/contract/shapes/webhook';
import type { DeliveryError, DeliveryStatus, DisabledWhy, WebhookKind } from '@/lib/contract/words/webhook';
import type { Db } from '@/lib/db/client';
import type { WebhookDelivery, WebhookEndpoint } from '@/prisma/generated/client';

const MAX_COUNTED = 1_000;

/** Shows webhooks, with how much of each is still to be sent. */
export async function toWebhookViews(tx: Db, rows: readonly WebhookEndpoint[]): Promise<WebhookView[]> {
  const ids = rows.map(({ id }) => id);
  const counts = await tx.$queryRaw<{ id: string; count: number }[]>`
    SELECT id, count FROM unnest(${ids}::text[]) AS asked (id) CROSS JOIN LATERAL (
      SELECT count(*)::int AS count FROM (
        SELECT FROM webhook_deliveries WHERE endpoint_id = asked.id AND status = 'waiting' LIMIT ${MAX_COUNTED}) AS waiting
    ) AS counted`;
  const waiting = new Map(counts.map(({ id, count }) => [id, count]));
  const now = Date.now();
  return rows.map((row) => ({
    webhookId: row.id,
    url: row.url,
    kinds: row.kinds as WebhookKind[],
    createdAt: row.createdAt.getTime(),
    disabledAt: row.disabledAt?.getTime() ?? null,
    disabledWhy: row.disabledWhy as DisabledWhy | null,
    failingSince: row.failingSince?.getTime() ?? null,
    oldSecretUntil: row.oldUntil && row.oldUntil.getTime() > now ? row.oldUntil.getTime() : null,
    waiting: waiting.get(row.id) ?? 0,
  }));
}

/** Shows one webhook. */
export async function toWebhookView(tx: Db, row: WebhookEndpoint): Promise<WebhookView> {
  const [view] = await toWebhookViews(tx, [row]);
  if (!view) throw new Error('one row makes one view');
  return view;
}

/** Shows a delivery. */
export const toDeliveryView = (row: WebhookDelivery): WebhookDeliveryView => ({
  deliveryId: String(row.id),
  eventId: row.eventId,
  kind: row.kind,
  status: row.status as DeliveryStatus,
  attempts: row.attempts,
  createdAt: row.createdAt.getTime(),
  nextAt: row.status === 'waiting' ? row.nextAt.getTime() : null,
  lastAt: row.lastAt?.getTime() ?? null,
  lastStatus: row.lastStatus,
  lastError: row.lastError as DeliveryError | null,
  body: row.body,
});
