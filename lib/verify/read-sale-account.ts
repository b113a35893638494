import 'server-only';
import { db } from '@/lib/db/client';
import type { SaleAccount } from './types';

/**
 * Reads the sale's counters and recomputes the same sums from its orders, in one statement and so in one snapshot: on
 * a running sale two statements would differ by the writes in between.
 * @returns null if there is no such sale.
 */
export async function readSaleAccount(saleId: string): Promise<SaleAccount | null> {
  const rows = await db().$queryRaw<SaleAccount[]>`
    SELECT s.id AS "saleId", s.status, s.strategy, s.on_stock_outage AS "onStockOutage",
           s.strategy = 'database' OR s.stock_mode <> 'redis' AS "isInDatabase", s.epoch, s.slices, s.slice_epochs AS "sliceEpochs", s.limit_per_user AS "limitPerUser",
           s.campaign_id AS "campaignId",
           (SELECT c.limit_per_user FROM campaigns c WHERE c.id = s.campaign_id) AS "campaignLimit",
           s.total_stock AS total, s.held_stock AS held, s.sold_stock AS sold,
           sums.orders, sums.live AS "liveUnits", sums.paid AS "paidUnits", sums.settled AS "settledPaidUnits",
           sums.of_variants AS "variantUnits", v.variants
      FROM sales s
     CROSS JOIN LATERAL (
       SELECT count(*)::int AS orders,
              coalesce(sum(o.quantity) FILTER (WHERE o.status IN ('pending_payment', 'paid')), 0)::int AS live,
              coalesce(sum(o.quantity) FILTER (WHERE o.status = 'paid'), 0)::int AS paid,
              coalesce(sum(o.quantity) FILTER (WHERE o.status = 'paid' AND o.stock_settled_at IS NOT NULL), 0)::int
                AS settled,
              coalesce(sum(o.quantity) FILTER (WHERE o.variant > 0 AND o.status IN ('pending_payment', 'paid')), 0)::int
                AS of_variants
         FROM orders o WHERE o.sale_id = s.id) sums
     CROSS JOIN LATERAL (
       SELECT coalesce(json_agg(json_build_object('stock', v.stock, 'held', v.held, 'sold', v.sold,
                                                  'liveUnits', coalesce(o.live, 0), 'paidUnits', coalesce(o.paid, 0),
                                                  'settledPaidUnits', coalesce(o.settled, 0)) ORDER BY v.number), '[]')
                AS variants
         FROM sale_variants v
         LEFT JOIN (SELECT variant, sum(quantity)::int AS live,
                           sum(quantity) FILTER (WHERE status = 'paid')::int AS paid,
                           sum(quantity) FILTER (WHERE status = 'paid' AND stock_settled_at IS NOT NULL)::int AS settled
                      FROM orders
                     WHERE sale_id = ${saleId} AND variant > 0 AND status IN ('pending_payment', 'paid')
                     GROUP BY variant) o ON o.variant = v.number
        WHERE v.sale_id = s.id) v
     WHERE s.id = ${saleId}`;
  return rows[0] ?? null;
}
