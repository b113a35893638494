import 'server-only';
import { db } from '@/lib/db/client';
import type { Place } from './types';

/** Finds, by order number, those whose place has been left or whose shopper was passed over. @throws connection errors */
export async function findGone(
  saleId: string,
  people: readonly Pick<Place, 'orderNo'>[],
): Promise<Set<string>> {
  const rows = await db().$queryRaw<{ orderNo: string }[]>`
    SELECT order_no::text AS "orderNo" FROM waitlist_entries
    WHERE sale_id = ${saleId} AND order_no = ANY (${people.map(({ orderNo }) => orderNo)}::text[]::bigint[])
      AND (left_at IS NOT NULL OR passed_at IS NOT NULL)`;
  return new Set(rows.map(({ orderNo }) => orderNo));
}
