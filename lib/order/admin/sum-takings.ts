import 'server-only';
import { type Actor, shopsOf } from '@/lib/actor/actor';
import { LATEST_MS } from '@/lib/contract/shapes/common';
import type { Takings, TakingsFilter } from '@/lib/contract/shapes/takings';
import { readStale } from '@/lib/db/read-stale';
import { lowestOrderNoAt, ORDER_EPOCH_MS } from '@/lib/ids/order-no';
import { Prisma, type PrismaClient } from '@/prisma/generated/client';

/** Every time zone begins its days at such a moment. */
const QUARTER_MS = 900_000;
const MOST_DAYS = 400;
const MOST_SALES = 1_000;

type Sums = Pick<Takings, 'currency' | 'orders' | 'takenMinor' | 'refundedMinor' | 'heldMinor'>;
/** `at`: the quarter of an hour in which they were bought, epoch ms. */
type Row = Sums & { at: number | null; saleId: string | null; title: string | null };

/** Returns the first lines of `sumAllTakings`: those of the newest 400 days, or of 1,000 sales. */
export async function sumTakings(actor: Actor, filter: TakingsFilter): Promise<Takings[]> {
  const lines = await sumAllTakings(actor, filter);
  if (filter.by !== 'day') return lines.slice(0, MOST_SALES);
  const days = new Set(lines.map(({ day }) => day));
  const shown = new Set([...days].slice(0, MOST_DAYS));
  return lines.filter(({ day }) => shown.has(day));
}

/**
 * Sums the money of orders in the sales that an actor may see, by currency and by what the filter says. Money that came too late
 * and went back belongs to no order that was paid, and is left out.
 * @returns one line at least for `all`, if there is an order; days newest first, sales by what they took
 */
export async function sumAllTakings(actor: Actor, filter: TakingsFilter): Promise<Takings[]> {
  const shops = await shopsOf(actor);
  const rows = await readStale((client) => readSums(client, shops, filter));
  if (filter.by === 'day') return byDay(rows, filter.timeZone);
  return rows.map(({ at: _at, saleId, title, ...sums }) => ({
    day: null,
    sale: saleId === null || title === null ? null : { saleId, title },
    ...sums,
  }));
}

/** An order number contains the moment of the purchase, so the index of a sale's orders by status and number finds them. */
function readSums(
  client: PrismaClient,
  shops: readonly string[] | null,
  { by, saleIds, campaignId, from = 0, to = LATEST_MS }: TakingsFilter,
): Promise<Row[]> {
  const [low, high] = [lowestOrderNoAt(from), lowestOrderNoAt(to)];
  const chosen = saleIds?.split(',') ?? null;
  const sales = Prisma.sql`
    SELECT id, title FROM sales
    WHERE (${shops === null} OR merchant_id = ANY (${shops ?? []}::text[]))
      AND (${chosen === null} OR id = ANY (${chosen ?? []}::text[]))
      AND (${campaignId ?? null}::text IS NULL OR campaign_id = ${campaignId ?? null})`;
  const inTime = Prisma.sql`o.id >= ${low}::bigint AND o.id < ${high}::bigint`;
  const at = by === 'day' ? Prisma.sql`(o.id >> 22) / ${QUARTER_MS}::bigint` : Prisma.sql`NULL::bigint`;
  const sale = by === 'sale' ? Prisma.sql`s.id, s.title` : Prisma.sql`NULL::text, NULL::text`;
  return client.$queryRaw<Row[]>`
    WITH mine AS MATERIALIZED (${sales}), lines (at, "saleId", title, currency, orders, taken, refunded, held) AS (
      SELECT ${at}, ${sale}, o.currency, (o.status <> 'pending_payment')::int,
             CASE WHEN o.status = 'pending_payment' THEN 0 ELSE o.amount_minor END,
             CASE WHEN o.status = 'refunded' THEN o.amount_minor ELSE 0 END,
             CASE WHEN o.status = 'pending_payment' THEN o.amount_minor ELSE 0 END
      FROM mine s, unnest(ARRAY['pending_payment', 'paid', 'refunded']) AS wanted (status), LATERAL (
        SELECT o.id, o.status, o.currency, o.amount_minor FROM orders o
        WHERE o.sale_id = s.id AND o.status = wanted.status AND ${inTime}) o
      UNION ALL
      SELECT ${at}, ${sale}, o.currency, 0, 0, r.amount_minor, 0
      FROM mine s JOIN refund_parts r ON r.sale_id = s.id
      JOIN orders o ON o.shard = r.shard AND o.id = r.order_id AND o.status = 'paid' AND ${inTime}
    )
    SELECT (at * ${QUARTER_MS}::bigint + ${ORDER_EPOCH_MS}::bigint)::float8 AS at, "saleId", title, currency::text,
           sum(orders)::int AS orders, sum(taken)::float8 AS "takenMinor", sum(refunded)::float8 AS "refundedMinor",
           sum(held)::float8 AS "heldMinor"
    FROM lines GROUP BY at, "saleId", title, currency
    ORDER BY at DESC, "takenMinor" DESC, "saleId", currency`;
}

/** Adds up the quarters of each day of a time zone. @param rows newest first */
function byDay(rows: readonly Row[], timeZone: string): Takings[] {
  // Swedish dates are those of ISO 8601.
  const date = new Intl.DateTimeFormat('sv-SE', { timeZone });
  const days = new Map<string, Takings>();
  for (const { at, saleId: _sale, title: _title, ...sums } of rows) {
    const day = date.format(at ?? 0);
    const key = `${day} ${sums.currency}`;
    const before = days.get(key);
    days.set(key, before ? add(before, sums) : { day, sale: null, ...sums });
  }
  return [...days.values()];
}

const add = (one: Takings, other: Sums): Takings => ({
  ...one,
  orders: one.orders + other.orders,
  takenMinor: one.takenMinor + other.takenMinor,
  refundedMinor: one.refundedMinor + other.refundedMinor,
  heldMinor: one.heldMinor + other.heldMinor,
});
