import 'server-only';
import { type Db, db } from '@/lib/db/client';
import { shardOf } from '@/lib/ids/shard-of';
import type { Situation } from '@/lib/stock/decide-purchase';

/**
 * Reads from Postgres what decides a purchase: the sale and the user's orders in it. One statement reads both as of one
 * moment; with two, a shopper's own purchase could show in the stock and not yet among the orders. `epoch` is the
 * loading in Redis, or 0 where Postgres stands in for Redis.
 * @returns null if Postgres does not sell this sale now. @throws connection errors.
 */
export async function readDatabaseSituation(
  saleId: string,
  userId: string,
  tx: Db = db(),
): Promise<(Situation & { epoch: number }) | null> {
  const rows = await tx.$queryRaw<(Situation & { epoch: number })[]>`
    SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "serverTime",
           floor(extract(epoch FROM s.starts_at) * 1000)::float8 AS "startsAt",
           floor(extract(epoch FROM s.ends_at) * 1000)::float8 AS "endsAt",
            s.reservation_opens_at IS NOT NULL AND NOT EXISTS (
             SELECT FROM reservations
              WHERE sale_id = s.id AND user_id = ${userId} AND cancelled_at IS NULL) AS "lacksReservation",
           s.paused, s.status = 'closed' AS closed, s.gate, s.limit_per_user AS "limit",
           CASE s.strategy WHEN 'database' THEN s.epoch ELSE 0 END AS epoch, s.total_stock AS total,
           CASE WHEN s.total_stock = -1 THEN -1
                ELSE greatest(0, s.total_stock - s.held_stock - s.sold_stock - s.stock_margin) END AS available,
           coalesce(o.records, '[]') AS records
      FROM sales s CROSS JOIN LATERAL (
        SELECT json_agg(json_build_object(
                 'jti', jti, 'orderNo', id::text, 'quantity', quantity,
                 'state', CASE status WHEN 'pending_payment' THEN 'held' WHEN 'paid' THEN 'sold' ELSE 'released' END
               ) ORDER BY id) AS records
          FROM orders WHERE shard = ${shardOf(userId)} AND user_id = ${userId} AND sale_id = s.id) o
     WHERE s.id = ${saleId} AND (s.strategy = 'database' OR s.stock_mode = 'database') AND s.status <> 'draft'`;
  return rows[0] ?? null;
}
