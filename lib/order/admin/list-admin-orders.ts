import 'server-only';
import { type Actor, shopsOf } from '@/lib/actor/actor';
import type { Page } from '@/lib/contract/shapes/common';
import type { AdminOrder, OrderFilter } from '@/lib/contract/shapes/order';
import { readStale } from '@/lib/db/read-stale';
import { decodeCursor, pageOfRows } from '@/lib/http/cursor';
import { parseOrderNo } from '@/lib/ids/order-no';
import type { Prisma, PrismaClient } from '@/prisma/generated/client';
import { STAND } from './delivery-filter';
import { selectOrders } from './order-filter';

type AdminOrderPage = { orders: AdminOrder[]; nextCursor: string | null };

/**
 * Returns one page of the orders an actor may see, newest first. Merchants see those of their shops. @returns
 * null for a foreign cursor.
 */
export async function listAdminOrders(
  actor: Actor,
  { cursor, limit }: Page,
  filter: OrderFilter,
): Promise<AdminOrderPage | null> {
  const below = cursor === undefined ? undefined : parseOrderNo(decodeCursor(cursor));
  if (below === null) return null;
  const orders = await readAdminOrders(await shopsOf(actor), filter, { below, limit: limit + 1 });
  const { page, nextCursor } = pageOfRows(orders, limit, (last) => last.orderNo);
  return { orders: page, nextCursor };
}

type Dates = 'acceptedAt' | 'createdAt' | 'payBy' | 'paidAt' | 'cancelledAt';
type Row = Omit<AdminOrder, Dates> &
  Record<'acceptedAt' | 'createdAt' | 'payBy', Date> & {
    paidAt: Date | null;
    cancelledAt: Date | null;
  };

/** Reads the newest `limit` orders of a filter with a number lower than `below`. @param shops null: of all shops */
export async function readAdminOrders(
  shops: readonly string[] | null,
  filter: OrderFilter,
  bounds: { below?: bigint; limit: number },
): Promise<AdminOrder[]> {
  const rows = await readStale(async (client) => {
    const wanted = await selectOrders(client, shops, filter, bounds);
    return wanted ? readRows(client, wanted) : [];
  });
  return rows.map((row) => ({
    ...row,
    acceptedAt: row.acceptedAt.getTime(),
    createdAt: row.createdAt.getTime(),
    payBy: row.payBy.getTime(),
    paidAt: row.paidAt?.getTime() ?? null,
    cancelledAt: row.cancelledAt?.getTime() ?? null,
  }));
}

const readRows = (client: PrismaClient, wanted: Prisma.Sql) => client.$queryRaw<Row[]>`
    SELECT o.id::text AS "orderNo", o.sale_id AS "saleId", s.title AS "saleTitle", o.user_id AS "userId", u.email,
           o.quantity, o.variant, v.name AS "variantName", o.unit_price_minor AS "unitPriceMinor",
           o.shipping_minor AS "shippingMinor", o.amount_minor AS "amountMinor", s.tax_rate AS "taxRate", o.currency::text,
           CASE WHEN o.status = 'refunded' THEN o.amount_minor ELSE coalesce(p.parts_minor, 0) END AS "refundedMinor",
           o.status, o.end_reason AS "endReason", p.status AS "paymentStatus", o.accepted_at AS "acceptedAt",
           o.created_at AS "createdAt", o.pay_by AS "payBy", o.paid_at AS "paidAt", o.cancelled_at AS "cancelledAt",
           o.version, ${STAND} AS delivery
    FROM (${wanted}) w
    JOIN orders o ON o.shard = w.shard AND o.id = w.id
    JOIN sales s ON s.id = o.sale_id
    JOIN products g ON g.id = s.product_id
    JOIN users u ON u.id = o.user_id
    LEFT JOIN deliveries d ON d.shard = o.shard AND d.order_id = o.id
    LEFT JOIN sale_variants v ON v.sale_id = o.sale_id AND v.number = o.variant
    LEFT JOIN payments p ON p.shard = o.shard AND p.order_id = o.id
    ORDER BY o.id DESC`;
