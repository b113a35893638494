import 'server-only';
import { joinReads } from '@/lib/db/join-reads';
import { keptQuery } from '@/lib/db/kept-query';

/** A shopper's latest place as Postgres has it. */
type LatestPlace = { orderNo: string; variant: number; hasLeft: boolean; wasGiven: boolean };
type Row = {
  sale_id: string;
  user_id: string;
  order_no: string;
  variant: number;
  has_left: boolean;
  was_given: boolean;
};

const keyOf = (saleId: string, userId: string) => `${saleId} ${userId}`;

const readLatest = joinReads(async (keys: string[]) => {
  const asked = keys.map((key) => key.split(' '));
  const rows = await keptQuery<Row>`
    SELECT asked.sale_id, asked.user_id, w.order_no::text, w.variant, w.left_at IS NOT NULL AS has_left, w.given_at IS NOT NULL AS was_given
    FROM unnest(${asked.map(([saleId]) => saleId)}::text[], ${asked.map(([, userId]) => userId)}::text[])
      AS asked (sale_id, user_id)
    CROSS JOIN LATERAL (
      SELECT * FROM waitlist_entries e WHERE e.user_id = asked.user_id AND e.sale_id = asked.sale_id
      ORDER BY e.number DESC LIMIT 1) AS w`;
  return new Map(
    rows.map((row): [string, LatestPlace] => [
      keyOf(row.sale_id, row.user_id),
      { orderNo: row.order_no, variant: row.variant, hasLeft: row.has_left, wasGiven: row.was_given },
    ]),
  );
});

/** Finds a shopper's latest place in Postgres; those who ask at one moment share a query. @throws connection errors */
export const findLatestPlace = async (saleId: string, userId: string): Promise<LatestPlace | null> =>
  (await readLatest(keyOf(saleId, userId))) ?? null;
