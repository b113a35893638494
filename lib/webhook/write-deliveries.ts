import 'server-only';
import type { WebhookEvent } from '@/lib/contract/shapes/webhook';
import type { WebhookKind } from '@/lib/contract/words/webhook';
import type { Db } from '@/lib/db/client';

type NewEvent = { eventId: string; event: WebhookEvent };

/**
 * Writes a delivery of each event for every webhook of the shop that is on, wants this kind, and was not made later than
 * a minute after the event. An event that has been written for a webhook is not written again.
 * @returns how many
 */
export function writeDeliveries(
  tx: Db,
  shopId: string,
  kind: WebhookKind,
  events: readonly NewEvent[],
): Promise<number> {
  const ids = events.map(({ eventId }) => eventId);
  const bodies = events.map(({ event }) => JSON.stringify(event));
  const times = events.map(({ event }) => event.timestamp);
  return tx.$executeRaw`
    INSERT INTO webhook_deliveries (endpoint_id, event_id, kind, body)
    SELECT e.id, i.event_id, ${kind}, i.body
    FROM unnest(${ids}::text[], ${bodies}::text[], ${times}::text[]) AS i (event_id, body, at)
    JOIN webhook_endpoints e ON e.shop_id = ${shopId} AND e.disabled_at IS NULL AND ${kind} = ANY (e.kinds)
      AND e.created_at <= i.at::timestamptz + interval '1 minute'
    ON CONFLICT DO NOTHING`;
}
