import 'server-only';
import { keepCounts } from '@/lib/db/keep-counts';
import { readStale } from '@/lib/db/read-stale';
import { Prisma } from '@/prisma/generated/client';

/** Summing up fewer orders takes some ms. */
const MANY = 10_000;
/** A sale whose end was longer before the day than this has no order that was paid within the day. */
const LATEST_PAYMENT_MS = 86_400_000;

/** What the orders of a sale have brought and not given back: since a moment, and in all. */
export type SaleTakings = {
  saleId: string;
  currency: string;
  orders: number;
  items: number;
  paidMinor: number;
  allOrders: number;
  allMinor: number;
};

const sums = keepCounts<SaleTakings[]>(
  [],
  (sales) => sales.reduce((sum, { allOrders }) => sum + allOrders, 0) > MANY,
);

/**
 * Sums up the money of the sales that may have been paid for since a moment; where they have more than 10,000 paid orders
 * as `keepCounts` does.
 * @param shopId of one shop; null: of all. @param fromMs the moment, epoch ms
 * @throws connection errors, where there are no earlier sums
 */
export const sumTakings = (shopId: string | null, fromMs: number): Promise<SaleTakings[]> =>
  sums(`${shopId}:${fromMs}`, () =>
    readStale(
      (client) => client.$queryRaw<SaleTakings[]>`
        SELECT o.sale_id AS "saleId", o.currency,
          count(*) FILTER (WHERE o.paid_at >= ${new Date(fromMs)})::int AS orders,
          coalesce(sum(o.quantity) FILTER (WHERE o.paid_at >= ${new Date(fromMs)}), 0)::float8 AS items,
          coalesce(sum(o.amount_minor) FILTER (WHERE o.paid_at >= ${new Date(fromMs)}), 0)::float8 AS "paidMinor",
          count(*)::int AS "allOrders", sum(o.amount_minor)::float8 AS "allMinor"
        FROM orders o JOIN sales s ON s.id = o.sale_id
        WHERE o.status = 'paid' AND s.status <> 'draft' AND s.starts_at <= now()
          AND s.ends_at >= ${new Date(fromMs - LATEST_PAYMENT_MS)}
          ${shopId === null ? Prisma.empty : Prisma.sql`AND s.merchant_id = ${shopId}`}
        GROUP BY o.sale_id, o.currency`,
    ),
  );
