import 'server-only';
import { db } from '@/lib/db/client';
import type { Stock } from '@/lib/stock/types';

/**
 * Reads the stock and settings of a sale whose stock lives in Postgres, with Postgres's clock. Units that Redis may
 * have promised before it went away count as held; when it promised them is unknown until they are written.
 * @returns null if there is no such sale or it is a draft. @throws connection errors.
 */
export async function readDatabaseStock(saleId: string): Promise<Stock | null> {
  return (await readDatabaseStocks([saleId])).get(saleId) ?? null;
}

/** Does the same for several sales at once, by id; leaves out those that do not exist. @throws connection errors. */
export async function readDatabaseStocks(saleIds: readonly string[]): Promise<Map<string, Stock>> {
  const rows = await db().$queryRaw<(Stock & { saleId: string })[]>`
    SELECT id AS "saleId",
           floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "serverTime",
           floor(extract(epoch FROM starts_at) * 1000)::float8 AS "startsAt",
           floor(extract(epoch FROM least(ends_at, closed_at)) * 1000)::float8 AS "endsAt",
           paused, status = 'closed' AS closed, gate, limit_per_user AS "limit", epoch, total_stock AS total,
           CASE WHEN total_stock = -1 THEN -1 ELSE total_stock - sold_stock - promised END AS available,
           promised AS held, sold_stock AS sold,
           CASE WHEN total_stock = sold_stock + held_stock THEN floor(extract(epoch FROM sold_out_at) * 1000)::float8 END
             AS "soldOutAt"
      FROM sales
     CROSS JOIN LATERAL (SELECT CASE WHEN total_stock = -1 THEN held_stock + stock_margin
                                     ELSE least(held_stock + stock_margin, total_stock - sold_stock) END AS promised) p
     WHERE id = ANY (${[...saleIds]}::text[]) AND status <> 'draft'`;
  return new Map(rows.map(({ saleId, ...stock }) => [saleId, stock]));
}
