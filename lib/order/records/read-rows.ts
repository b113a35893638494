import 'server-only';
import { nowMs } from '@/lib/clock';
import type { SaleTitles } from '@/lib/contract/shapes/by-language';
import type { WrittenOrderView } from '@/lib/contract/shapes/order';
import type { PurchaseWish } from '@/lib/contract/shapes/purchase';
import type { WrittenStatus } from '@/lib/contract/words/order';
import { joinReads } from '@/lib/db/join-reads';
import { keptQuery } from '@/lib/db/kept-query';
import { type DeliveryRow, toOrderDelivery } from '@/lib/delivery/records/to-delivery';
import { shardOf } from '@/lib/ids/shard-of';
import { wishOf } from '@/lib/stock/bought';
import type { Prisma } from '@/prisma/generated/client';

export const VIEW_INCLUDE = {
  sale: {
    select: {
      title: true,
      titles: true,
      slug: true,
      taxRate: true,
      product: { select: { imageUrl: true, delivery: true, pickupPlace: true } },
      campaign: { select: { slug: true, title: true } },
      variants: { select: { number: true, name: true } },
    },
  },
  payment: { select: { provider: true, partsMinor: true } },
} as const satisfies Prisma.OrderInclude;

type Whole = Prisma.OrderGetPayload<{ include: typeof VIEW_INCLUDE }>;

/** The columns of an order's row that a view shows. */
export type ViewRow = Pick<
  Whole,
  | keyof PurchaseWish
  | 'id'
  | 'saleId'
  | 'unitPriceMinor'
  | 'shippingMinor'
  | 'amountMinor'
  | 'currency'
  | 'status'
  | 'payBy'
  | 'createdAt'
  | 'paidAt'
  | 'cancelledAt'
  | 'endReason'
  | 'version'
  | 'sale'
  | 'payment'
> & { delivery: DeliveryRow | null };

/** Which of a user's orders: the newest `most` whose numbers are no higher. */
type Wanted = { userId: string; upTo: bigint; most: number };
type Row = Omit<ViewRow, 'id' | 'sale' | 'payment' | 'delivery'> & {
  /** `bigint`, as the driver has it. */
  id: string;
  nth: string;
  title: string;
  titles: Whole['sale']['titles'];
  slug: string;
  taxRate: number | null;
  imageUrl: string;
  /** Null: the sale belongs to none. */
  campaignSlug: string | null;
  campaignTitle: string;
  provider: string | null;
  partsMinor: number | null;
  delivery: string | null;
  pickupPlace: string | null;
  /** Null: the sale has no variants. */
  variantName: string | null;
  /** Null: no address was given. */
  step: string | null;
} & Omit<DeliveryRow, 'step'>;

/** Reads orders of many users in one query, each user's from their own partition, newest first. */
export const readRows = joinReads<Wanted, ViewRow[]>(async (wanted) => {
  const userIds = wanted.map(({ userId }) => userId);
  const rows = await keptQuery<Row>`
    SELECT w.nth, o.*, p.provider, p.parts_minor AS "partsMinor", s.title, s.titles, s.slug,
           s.tax_rate AS "taxRate", g.image_url AS "imageUrl",
           c.slug AS "campaignSlug", c.title AS "campaignTitle", g.delivery, g.pickup_place AS "pickupPlace",
           d.step, d.address IS NOT NULL AS "hasAddress", d.carrier, d.tracking_number AS "trackingNumber",
           d.tracking_url AS "trackingUrl", d.packed_at AS "packedAt", d.shipped_at AS "shippedAt",
           d.delivered_at AS "deliveredAt", d.returned_at AS "returnedAt",
           v.name AS "variantName"
    FROM unnest(${userIds.map(shardOf)}::smallint[], ${userIds}::text[],
                ${wanted.map(({ upTo }) => upTo)}::bigint[], ${wanted.map(({ most }) => most)}::int[])
         WITH ORDINALITY AS w (shard, user_id, up_to, most, nth)
    CROSS JOIN LATERAL (
      SELECT shard, id, sale_id AS "saleId", quantity, variant, unit_price_minor AS "unitPriceMinor",
             shipping_minor AS "shippingMinor", amount_minor AS "amountMinor", currency, status, pay_by AS "payBy", created_at AS "createdAt",
             paid_at AS "paidAt", cancelled_at AS "cancelledAt", end_reason AS "endReason", version
      FROM orders WHERE orders.shard = w.shard AND orders.user_id = w.user_id AND orders.id <= w.up_to
      ORDER BY id DESC LIMIT w.most) o
    JOIN sales s ON s.id = o."saleId"
    JOIN products g ON g.id = s.product_id
    LEFT JOIN campaigns c ON c.id = s.campaign_id
    LEFT JOIN payments p ON p.shard = o.shard AND p.order_id = o.id
    LEFT JOIN deliveries d ON d.shard = o.shard AND d.order_id = o.id
    LEFT JOIN sale_variants v ON v.sale_id = o."saleId" AND v.number = o.variant
    ORDER BY w.nth, o.id DESC`;
  const found = new Map<Wanted, ViewRow[]>(wanted.map((each) => [each, []]));
  for (const row of rows) found.get(wanted[Number(row.nth) - 1] as Wanted)?.push(nested(row));
  return found;
});

function nested(row: Row): ViewRow {
  const { title, titles, slug, taxRate, imageUrl, delivery, pickupPlace } = row;
  const { id, campaignSlug, campaignTitle, step, provider, partsMinor, variant, variantName } = row;
  return {
    ...row,
    id: BigInt(id),
    sale: {
      title,
      titles,
      slug,
      taxRate,
      product: { imageUrl, delivery, pickupPlace },
      campaign: campaignSlug === null ? null : { slug: campaignSlug, title: campaignTitle },
      variants: variantName === null ? [] : [{ number: variant, name: variantName }],
    },
    payment: provider === null ? null : { provider, partsMinor: partsMinor ?? 0 },
    delivery: step === null ? null : { ...row, step },
  };
}

/** Turns the database row into the product's words. */
export function toOrderView(row: ViewRow): WrittenOrderView {
  return {
    orderNo: String(row.id),
    saleId: row.saleId,
    saleTitle: row.sale.title,
    saleTitles: row.sale.titles as SaleTitles,
    saleSlug: row.sale.slug,
    campaign: row.sale.campaign,
    imageUrl: row.sale.product.imageUrl,
    ...wishOf(row),
    variantName: row.sale.variants.find(({ number }) => number === row.variant)?.name ?? null,
    unitPriceMinor: row.unitPriceMinor,
    shippingMinor: row.shippingMinor,
    amountMinor: row.amountMinor,
    taxRate: row.sale.taxRate,
    refundedMinor: row.status === 'refunded' ? row.amountMinor : (row.payment?.partsMinor ?? 0),
    currency: row.currency,
    status: row.status as WrittenStatus,
    payBy: row.payBy.getTime(),
    createdAt: row.createdAt.getTime(),
    paidAt: row.paidAt?.getTime() ?? null,
    cancelledAt: row.cancelledAt?.getTime() ?? null,
    endReason: row.endReason,
    provider: row.payment?.provider ?? null,
    delivery: toOrderDelivery(row.sale.product, row.delivery),
    serverTime: nowMs(),
    version: row.version,
  };
}
