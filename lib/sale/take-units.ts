import 'server-only';
import type { Db } from '@/lib/db/client';

/**
 * Postgres's own deduction: counts units as held if it is Postgres that sells this sale now, which is open by its clock
 * and has them, beside what Redis may have promised before it went away. One conditional update, checked by row count;
 * what another transaction has committed while this one waited for the row is what the condition sees.
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
