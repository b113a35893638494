import 'server-only';
import { type WebhookEvent, webhookEvent } from '@/lib/contract/shapes/webhook';
import { db } from '@/lib/db/client';
import { writeDeliveries } from './write-deliveries';

/** An event is made within this time, or not at all. */
const WITHIN_HOURS = 24;
const MOST = 200;

type Told = {
  kind: 'sale.started' | 'sale.sold_out' | 'sale.ended';
  at: Date;
  saleId: string;
  shopId: string;
  productId: string;
  slug: string;
  title: string;
  startsAt: Date;
  endsAt: Date;
  totalStock: number;
  soldStock: number;
};

/**
 * Writes deliveries of what has become of sales: that one has started, has sold out, or is over. A start and an end are
 * moments and no changes of a row, so a worker looks for them. Each is told once, those since the webhook was made and
 * of the last 24 h; a sale that sells out again, after units came back, is told again, at most once a minute.
 * @returns how many events it wrote or had written
 */
export async function announceSales(): Promise<number> {
  const events = await db().$queryRaw<Told[]>`
    WITH wants AS (
      SELECT DISTINCT e.shop_id, k.kind FROM webhook_endpoints e CROSS JOIN LATERAL unnest(e.kinds) AS k (kind)
      WHERE e.disabled_at IS NULL AND k.kind IN ('sale.started', 'sale.sold_out', 'sale.ended')
    )
    SELECT w.kind, t.at, s.id AS "saleId", s.merchant_id AS "shopId", s.product_id AS "productId", s.slug, s.title,
           s.starts_at AS "startsAt", s.ends_at AS "endsAt", s.total_stock AS "totalStock", s.sold_stock AS "soldStock"
    FROM wants w JOIN sales s ON s.merchant_id = w.shop_id AND s.status IN ('published', 'closed')
      AND s.ends_at >= now() - make_interval(hours => ${WITHIN_HOURS}::int)
    CROSS JOIN LATERAL (SELECT CASE w.kind
      WHEN 'sale.started' THEN CASE WHEN s.closed_at IS NULL OR s.closed_at > s.starts_at THEN s.starts_at END
      WHEN 'sale.ended' THEN least(s.ends_at, s.closed_at)
      ELSE CASE WHEN s.total_stock >= 0 AND s.held_stock + s.sold_stock >= s.total_stock
                THEN date_trunc('minute', s.sold_out_at) END END AS at) AS t
    WHERE t.at <= now() AND t.at >= now() - make_interval(hours => ${WITHIN_HOURS}::int)
      AND EXISTS (SELECT FROM webhook_endpoints e
                  WHERE e.shop_id = w.shop_id AND e.disabled_at IS NULL AND w.kind = ANY (e.kinds)
                    AND e.created_at <= t.at + interval '1 minute'
                    AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.event_id =
                      'evt_' || replace(w.kind, '.', '_') || '_' || s.id || '_' || epoch_ms(t.at)))
    ORDER BY t.at LIMIT ${MOST}`;
  for (const told of events) await announce(told);
  return events.length;
}

async function announce({ kind, at, shopId, startsAt, endsAt, ...sale }: Told): Promise<void> {
  const data = { ...sale, startsAt: startsAt.getTime(), endsAt: endsAt.getTime() };
  const event: WebhookEvent = webhookEvent.parse({ type: kind, timestamp: at.toISOString(), data });
  const eventId = `evt_${kind.replace('.', '_')}_${sale.saleId}_${at.getTime()}`;
  await writeDeliveries(db(), shopId, kind, [{ eventId, event }]);
}
