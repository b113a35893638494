import 'server-only';
import { type Db, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';

/**
 * How long processes get to close their allocations. A web process does so within a quarter of a second; one that has
 * not after this long is dead or cut off.
 */
const DRAIN_MS = 2_000;

/*
 * The transitions between the modes. Each is one conditional update checked by row count: if many processes try at
 * once, one does it, and a call that comes too late changes nothing.
 */

/**
 * Moves a sale `redis → draining`. From here on Postgres grants nothing more, and the epoch is another: processes
 * that look again don't ask Redis. @param epoch the loading that can't be reached, or was lost.
 */
export function leaveRedis(saleId: string, epoch: number): Promise<boolean> {
  return transaction(async (tx) => {
    const rows = await tx.$executeRaw`
      UPDATE sales SET stock_mode = 'draining', epoch = epoch + 1, stock_mode_since = clock_timestamp()
      WHERE id = ${saleId} AND on_stock_outage = 'database' AND stock_mode = 'redis' AND epoch = ${epoch}`;
    // A separate statement, so that it sees the allocations that the update has waited for.
    if (rows === 1) await countMargin(tx, saleId);
    return rows === 1;
  });
}

/** Moves a sale `draining → database`, once every allocation is closed, or those still open have had their time. */
export async function endDraining(saleId: string): Promise<boolean> {
  const rows = await db().$executeRaw`
    UPDATE sales s SET stock_mode = 'database', stock_mode_since = clock_timestamp()
    WHERE id = ${saleId} AND stock_mode = 'draining'
      AND (stock_mode_since < clock_timestamp() - make_interval(secs => ${DRAIN_MS / 1_000})
           OR NOT EXISTS (SELECT FROM stock_grants g WHERE g.sale_id = s.id AND g.accepted IS NULL))`;
  if (rows === 1) await countMargin(db(), saleId);
  return rows === 1;
}

/** Moves a sale `database → rebuilding`. */
export async function beginReturn(saleId: string): Promise<boolean> {
  const rows = await db().$executeRaw`
    UPDATE sales SET stock_mode = 'rebuilding', stock_mode_since = clock_timestamp()
    WHERE id = ${saleId} AND stock_mode = 'database'`;
  return rows === 1;
}

/** Moves a sale `rebuilding → database`, because Redis has gone again. */
export async function abandonReturn(saleId: string): Promise<boolean> {
  const rows = await db().$executeRaw`
    UPDATE sales SET stock_mode = 'database', stock_mode_since = clock_timestamp()
    WHERE id = ${saleId} AND stock_mode = 'rebuilding'`;
  return rows === 1;
}

/**
 * Moves a sale `rebuilding → redis`, in the transaction that has loaded Redis. Every purchase accepted before is
 * written by then.
 */
export async function completeReturn(tx: Db, saleId: string): Promise<void> {
  await tx.stockAllocation.deleteMany({ where: { saleId } });
  await tx.$executeRaw`
    UPDATE sales SET stock_mode = 'redis', stock_margin = 0, stock_mode_since = clock_timestamp()
    WHERE id = ${saleId} AND stock_mode = 'rebuilding'`;
}

/**
 * Counts the units that Redis may have promised and that are not orders yet. For each loading: the units granted to
 * processes, or reported by them as accepted, less all units written as orders. The margin can only fall once the sale
 * has left Redis, so an old number sells too little, never too much.
 */
export async function countMargin(tx: Db, saleId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE sales SET stock_margin = (
      SELECT coalesce(sum(greatest(0, promised - written)), 0)::int
        FROM (SELECT epoch, sum(coalesce(accepted, granted)) AS promised FROM stock_grants
               WHERE sale_id = ${saleId} GROUP BY epoch) AS g
       CROSS JOIN LATERAL (
         SELECT coalesce(sum(quantity), 0) AS written FROM orders o
          WHERE o.sale_id = ${saleId} AND o.epoch = g.epoch) AS w)
    WHERE id = ${saleId} AND (stock_mode = 'draining' OR (stock_mode <> 'redis' AND stock_margin > 0))`;
}
