import 'server-only';
import type { DeliveryStand } from '@/lib/contract/words/delivery';
import { Prisma } from '@/prisma/generated/client';

const { sql } = Prisma;

/** How the parcel of an order `o` of a product `g` stands, with its row `d`; null: it has none. */
export const STAND = sql`
  CASE WHEN d.step <> 'waiting' OR d.address IS NOT NULL THEN d.step
       WHEN g.delivery = 'parcel' OR d.order_id IS NOT NULL THEN 'missing' END`;

/** A condition for an order `o`: its parcel stands like this. What has not been sent counts only while it is paid. */
export const standsAt = (stand: DeliveryStand): Prisma.Sql => sql`
  (o.status = 'paid' OR ${stand} NOT IN ('missing', 'waiting', 'packed')) AND EXISTS (
    SELECT FROM sales JOIN products g ON g.id = sales.product_id
    LEFT JOIN deliveries d ON d.shard = o.shard AND d.order_id = o.id
    WHERE sales.id = o.sale_id AND ${STAND} = ${stand})`;

/**
 * Builds a query for the orders of some sales whose parcels stand like this, newest first. Those at a step are found by it;
 * those without an address are among the paid ones.
 * @param orders a condition for an order `o`
 */
export function selectByStand(
  stand: DeliveryStand,
  { sales, orders, limit }: { sales: Prisma.Sql; orders: Prisma.Sql; limit: number },
): Prisma.Sql {
  const found =
    stand === 'missing'
      ? sql`orders o WHERE o.sale_id = s.id AND o.status = 'paid' AND ${standsAt(stand)} AND ${orders} ORDER BY o.id`
      : sql`deliveries w JOIN orders o ON o.shard = w.shard AND o.id = w.order_id
            WHERE w.sale_id = s.id AND w.step = ${stand} AND ${standsAt(stand)} AND ${orders} ORDER BY w.order_id`;
  return sql`
    SELECT found.shard, found.id FROM (${sales}) s, LATERAL (
      SELECT o.shard, o.id FROM ${found} DESC LIMIT ${limit}) found
    ORDER BY found.id DESC LIMIT ${limit}`;
}
