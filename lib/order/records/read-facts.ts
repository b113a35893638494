import 'server-only';
import { db } from '@/lib/db/client';

/** Facts about an order for notices and points entries. Time in ms, money in minor units. */
export type OrderFacts = {
  orderNo: string;
  saleId: string;
  userId: string;
  email: string;
  locale: string;
  /** Null: UTC. */
  timeZone: string | null;
  /** Topics of mails that they do not want. */
  mutedMails: string[];
  /** Their mail server refuses their address for good. */
  isMailRefused: boolean;
  saleSlug: string;
  /** In their language. */
  saleTitle: string;
  /** Null: the sale has no variants. */
  variantName: string | null;
  /** Its shopper was drawn. */
  isDrawn: boolean;
  /** It is still to be paid. */
  isUnpaid: boolean;
  /** Its parcel has no address yet. */
  lacksAddress: boolean;
  amountMinor: number;
  currency: string;
  payBy: number;
  /** The money its provider took, if it was of another amount or currency and went back; else null. */
  takenMinor: number | null;
  takenCurrency: string | null;
  /** The sum of its parts that were decided to be refunded. */
  partsMinor: number;
};

/** Reads the facts of these orders by number, in one statement. Leaves out unknown orders. */
export async function readFacts(orderNos: readonly string[]): Promise<Map<string, OrderFacts>> {
  const rows = await db().$queryRaw<(Omit<OrderFacts, 'payBy'> & { payBy: Date })[]>`
    SELECT o.id::text AS "orderNo", o.sale_id AS "saleId", o.user_id AS "userId", u.email, u.locale,
           u.time_zone AS "timeZone", u.muted_mails AS "mutedMails", u.mail_refused_at IS NOT NULL AS "isMailRefused",
           s.slug AS "saleSlug", coalesce(s.titles ->> u.locale, s.title) AS "saleTitle", v.name AS "variantName",
           o.status = 'pending_payment' AS "isUnpaid",
           EXISTS (SELECT FROM line_entries e WHERE e.sale_id = o.sale_id AND e.user_id = o.user_id AND e.left_at IS NULL
             AND e.order_no = o.id) AS "isDrawn",
           coalesce(g.delivery = 'parcel', false) AND NOT EXISTS (
             SELECT FROM deliveries d WHERE d.shard = o.shard AND d.order_id = o.id) AS "lacksAddress",
           o.amount_minor AS "amountMinor", o.currency, o.pay_by AS "payBy",
           p.taken_minor AS "takenMinor", p.taken_currency AS "takenCurrency", coalesce(p.parts_minor, 0) AS "partsMinor"
    FROM orders_numbered(${[...new Set(orderNos)]}::text[]::bigint[]) o
    JOIN users u ON u.id = o.user_id
    JOIN sales s ON s.id = o.sale_id
    JOIN products g ON g.id = s.product_id
    LEFT JOIN sale_variants v ON v.sale_id = o.sale_id AND v.number = o.variant
    LEFT JOIN payments p ON p.shard = o.shard AND p.order_id = o.id`;
  return new Map(rows.map((row) => [row.orderNo, { ...row, payBy: row.payBy.getTime() }]));
}

/** Reads the same of places in a draw without an order, by the number that each order would have. Times are the sale's. */
export async function readPlaceFacts(orderNos: readonly string[]): Promise<Map<string, OrderFacts>> {
  if (orderNos.length === 0) return new Map();
  const rows = await db().$queryRaw<(Omit<OrderFacts, 'payBy'> & { payBy: Date })[]>`
    SELECT w.order_no::text AS "orderNo", w.sale_id AS "saleId", w.user_id AS "userId", u.email, u.locale,
           u.time_zone AS "timeZone", u.muted_mails AS "mutedMails", u.mail_refused_at IS NOT NULL AS "isMailRefused",
           s.slug AS "saleSlug", coalesce(s.titles ->> u.locale, s.title) AS "saleTitle", v.name AS "variantName",
           false AS "isUnpaid", true AS "isDrawn", false AS "lacksAddress", s.price_minor AS "amountMinor", s.currency,
           s.ends_at AS "payBy", NULL AS "takenMinor", NULL AS "takenCurrency", 0 AS "partsMinor"
    FROM waitlist_entries w JOIN users u ON u.id = w.user_id JOIN sales s ON s.id = w.sale_id
    LEFT JOIN sale_variants v ON v.sale_id = w.sale_id AND v.number = w.variant
    WHERE w.order_no = ANY (${[...new Set(orderNos)]}::text[]::bigint[])`;
  return new Map(rows.map((row) => [row.orderNo, { ...row, payBy: row.payBy.getTime() }]));
}
