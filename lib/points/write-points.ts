import 'server-only';
import type { PointsKind } from '@/lib/contract/words/points';
import { db } from '@/lib/db/client';

/** An entry for an order: the points it earned, or those its refund takes back. */
export type PointsWrite = { userId: string; orderNo: string; kind: PointsKind; points: number };

/**
 * Adds entries to the ledger, each once per order and kind: a repetition changes nothing. A paid order of a product
 * that is a membership gives that membership in the same statement. @returns how many entries were new
 */
export async function writePoints(entries: readonly PointsWrite[]): Promise<number> {
  const [row] = await db().$queryRaw<{ added: number }[]>`
    WITH added AS (
      INSERT INTO points_entries (user_id, order_id, kind, points)
      SELECT * FROM unnest(${entries.map(({ userId }) => userId)}::text[],
                           ${entries.map(({ orderNo }) => orderNo)}::text[]::bigint[],
                           ${entries.map(({ kind }) => kind)}::text[],
                           ${entries.map(({ points }) => points)}::int[])
      ON CONFLICT (order_id, kind) DO NOTHING
      RETURNING user_id, order_id, kind),
    memberships AS (
      INSERT INTO memberships (user_id, order_id, level, days, paid_at)
      SELECT a.user_id, a.order_id, r.level, r.days * o.quantity, coalesce(o.paid_at, now())
      FROM added a
      JOIN orders_numbered(${entries.map(({ orderNo }) => orderNo)}::text[]::bigint[]) o ON o.id = a.order_id
      JOIN sales s ON s.id = o.sale_id
      JOIN membership_rules r ON r.product_id = s.product_id
      WHERE a.kind = 'earned' AND EXISTS (SELECT FROM membership_rules))
    SELECT count(*)::int AS added FROM added`;
  return row?.added ?? 0;
}
