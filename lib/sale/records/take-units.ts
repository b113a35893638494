import 'server-only';
import type { Db } from '@/lib/db/client';

/**
 * Deducts units in Postgres: counts them as held if Postgres sells this sale now, the sale is open by Postgres's
 * clock, and it has that many besides those Redis may have promised before it went away. One conditional update,
 * checked by row count; if it waits for the row, the condition sees what the other transaction committed.
 * @returns when, in epoch ms, or null if nothing was changed.
 */
export async function takeUnits(
  tx: Db,
  { saleId, gate, units }: { saleId: string; gate: string; units: number },
): Promise<number | null> {
  const rows = await tx.$queryRaw<{ takenAt: number }[]>`
    UPDATE sales
    SET held_stock = held_stock + ${units},
        sold_out_at = greatest(sold_out_at, date_trunc('milliseconds', clock_timestamp()))
    WHERE id = ${saleId} AND (strategy = 'database' OR stock_mode = 'database')
      AND status = 'published' AND NOT paused AND gate = ${gate}
      AND clock_timestamp() >= starts_at AND clock_timestamp() < ends_at
      AND (total_stock = -1 OR held_stock + sold_stock + stock_margin + ${units} <= total_stock)
    RETURNING floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "takenAt"`;
  return rows[0]?.takenAt ?? null;
}
