import 'server-only';
import { db } from '@/lib/db/client';
import { orderNosOf } from '@/lib/ids/payment-key';
import { limitMs } from '@/lib/time-limits';
import { Prisma } from '@/prisma/generated/client';
import type { OwnBooks } from './compare-books';
import type { PaymentStatus } from './types';

const PAGE = 1_000;

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

/**
 * Streams a sale's payments that a provider may know of to `onPage`, a thousand at a time: those that were opened together,
 * because providers list payments by time. Reads through a cursor over one snapshot, which ages meanwhile, so the caller must
 * check suspicious findings again.
 */
export async function streamOwnBooks(
  saleId: string,
  onPage: (page: BookedPayment[]) => Promise<void>,
): Promise<void> {
  await db().$transaction(
    async (tx) => {
      // DECLARE takes no parameters; a setting of this transaction carries the id without quoting it into SQL.
      await tx.$queryRaw`SELECT set_config('seckill.compared_sale', ${saleId}, true)`;
      await tx.$executeRaw`
        DECLARE own_books NO SCROLL CURSOR FOR
        SELECT ${COLUMNS}
        FROM orders o JOIN payments p ON p.shard = o.shard AND p.order_id = o.id
        WHERE o.sale_id = current_setting('seckill.compared_sale')
          AND (p.status <> 'pending' OR p.opened_at IS NOT NULL OR p.next_query_at IS NOT NULL)
        ORDER BY p.opened_at`;
      for (;;) {
        const page = await tx.$queryRawUnsafe<Row[]>(`FETCH ${PAGE} FROM own_books`);
        if (page.length === 0) return;
        await onPage(page.map(toBooked));
      }
    },
    { timeout: limitMs('stream') },
  );
}

function toBooked({ takenMinor, takenCurrency, ...row }: Row): BookedPayment {
  const isOther = takenMinor !== null && takenCurrency !== null;
  return { ...row, taken: isOther ? { amountMinor: takenMinor, currency: takenCurrency } : null };
}
