import 'server-only';
import { db } from '@/lib/db/client';
import { orderNosOf } from '@/lib/ids/payment-key';
import { Prisma } from '@/prisma/generated/client';
import type { OwnBooks } from './compare-books';
import type { PaymentStatus } from './types';

/** Our books of one payment, and its owner. */
export type BookedPayment = OwnBooks & {
  paymentId: string;
  provider: string;
  orderNo: string;
  saleId: string;
};

type Row = Omit<BookedPayment, 'taken' | 'status'> & {
  status: PaymentStatus;
  takenMinor: number | null;
  takenCurrency: string | null;
};

const COLUMNS = Prisma.sql`
  p.id AS "paymentId", p.provider, p.order_id::text AS "orderNo", o.sale_id AS "saleId", p.status,
  p.amount_minor AS "amountMinor", p.currency, p.taken_minor AS "takenMinor", p.taken_currency AS "takenCurrency",
  p.next_query_at IS NOT NULL AS "isAsked", p.parts_minor AS "partsMinor",
  CASE WHEN p.parts_minor = 0 THEN 0 ELSE (
    SELECT coalesce(sum(r.amount_minor), 0)::int FROM refund_parts r
    WHERE r.shard = p.shard AND r.order_id = p.order_id AND r.sent_at IS NULL) END AS "dueMinor"`;

/**
 * Reads our books of these payments with a provider; leaves out unknown ones. Returns them in one row of JSON,
 * because a thousand rows cost several times as much. @param paymentIds 1,000 at most
 */
export async function readOwnBooks(
  provider: string,
  paymentIds: readonly string[],
): Promise<BookedPayment[]> {
  const [found] = await db().$queryRaw<{ books: Row[] }[]>`
    SELECT coalesce(json_agg(book), '[]') AS books FROM (
      SELECT ${COLUMNS} FROM orders_numbered(${orderNosOf(paymentIds)}::text[]::bigint[]) o
      JOIN payments p ON p.shard = o.shard AND p.order_id = o.id
      WHERE p.provider = ${provider}) AS book`;
  return (found?.books ?? []).map(toBooked);
}

/** Payments with one provider. */
export type PaymentIds = { provider: string; paymentIds: string[] };

/**
 * Lists a sale's payments that a provider may know of, in the order in which they were opened: providers list payments
 * by time. Reads them in one statement, so that no snapshot ages while providers are asked; a million ids are 30 MB.
 */
export function listOpened(saleId: string): Promise<PaymentIds[]> {
  return db().$queryRaw<PaymentIds[]>`
    SELECT p.provider, json_agg(p.id ORDER BY p.opened_at) AS "paymentIds"
    FROM orders o JOIN payments p ON p.shard = o.shard AND p.order_id = o.id
    WHERE o.sale_id = ${saleId}
      AND (p.status <> 'pending' OR p.opened_at IS NOT NULL OR p.next_query_at IS NOT NULL)
    GROUP BY p.provider`;
}

function toBooked({ takenMinor, takenCurrency, ...row }: Row): BookedPayment {
  const isOther = takenMinor !== null && takenCurrency !== null;
  return { ...row, taken: isOther ? { amountMinor: takenMinor, currency: takenCurrency } : null };
}
