import 'server-only';
import type { Db } from '@/lib/db/client';

/*
 * The sale's counters in Postgres: units held by unpaid orders, and units sold. Each change is a conditional update,
 * checked by row count. The sale's row is the busiest of all: every transaction touches it last (lock order: payment,
 * order, sale). Functions that take units get `takenAt`, Redis's epoch ms; the latest one is when the sale sold out.
 */

/** Units of an order. `variant` is 0, or left out, where the sale has none. */
type Units = { saleId: string; units: number; variant?: number };

/** Changes the counters of a variant, if there is one, under the lock of its sale's row. @returns false, and changes nothing, if they don't allow it */
async function countVariant(
  tx: Db,
  { saleId, variant = 0 }: Units,
  { held = 0, sold = 0, stock = 0 }: { held?: number; sold?: number; stock?: number },
): Promise<boolean> {
  if (variant === 0) return true;
  await tx.$executeRaw`SELECT 1 FROM sales WHERE id = ${saleId} FOR NO KEY UPDATE`;
  const rows = await tx.$executeRaw`
    UPDATE sale_variants
    SET held = held + ${held}::int, sold = sold + ${sold}::int, stock = stock + ${stock}::int
    WHERE sale_id = ${saleId} AND number = ${variant}::int AND held + ${held}::int >= 0 AND sold + ${sold}::int >= 0
      AND held + sold + ${held}::int + ${sold}::int <= stock + ${stock}::int`;
  return rows === 1;
}

/**
 * Counts the units of accepted purchases as held.
 * @returns false if the sale or the variant has fewer left, or no variant is named where it has some: then Redis should
 *   not have accepted them. The caller rolls back.
 */
export async function holdUnits(tx: Db, order: Units, takenAt: number): Promise<boolean> {
  const { saleId, units, variant = 0 } = order;
  if (variant === 0 && (await tx.saleVariant.count({ where: { saleId } })) > 0) return false;
  if (!(await countVariant(tx, order, { held: units }))) return false;
  const rows = await tx.$executeRaw`
    UPDATE sales
    SET held_stock = held_stock + ${units}, sold_out_at = greatest(sold_out_at, to_timestamp(${takenAt}::double precision / 1000))
    WHERE id = ${saleId} AND (total_stock = -1 OR held_stock + sold_stock + ${units} <= total_stock)`;
  return rows === 1;
}

/**
 * Counts units as held that were not promised to any shopper yet. The units that Redis may have promised before it
 * went away are not taken.
 * @returns false if there are fewer left; the caller rolls back.
 */
export async function holdFreeUnits(tx: Db, order: Units, takenAt: number): Promise<boolean> {
  const { saleId, units } = order;
  if (!(await countVariant(tx, order, { held: units }))) return false;
  const rows = await tx.$executeRaw`
    UPDATE sales
    SET held_stock = held_stock + ${units}, sold_out_at = greatest(sold_out_at, to_timestamp(${takenAt}::double precision / 1000))
    WHERE id = ${saleId} AND (total_stock = -1 OR held_stock + sold_stock + stock_margin + ${units} <= total_stock)`;
  return rows === 1;
}

/** Counts held units as available again. @throws if fewer are held: that is a bug, and must not be rounded off. */
export async function releaseUnits(tx: Db, order: Units): Promise<void> {
  const { saleId, units } = order;
  const rows = await tx.$executeRaw`
    UPDATE sales SET held_stock = held_stock - ${units} WHERE id = ${saleId} AND held_stock >= ${units}`;
  if (rows !== 1 || !(await countVariant(tx, order, { held: -units })))
    throw new Error(`sale ${saleId}: fewer than ${units} units are held`);
}

/** Counts free units as sold at once, for late money if a unit is left. @returns false if there are fewer left; the caller rolls back. */
export async function sellFreeUnits(tx: Db, order: Units, takenAt: number): Promise<boolean> {
  const { saleId, units } = order;
  if (!(await countVariant(tx, order, { sold: units }))) return false;
  const rows = await tx.$executeRaw`
    UPDATE sales
    SET sold_stock = sold_stock + ${units}, sold_out_at = greatest(sold_out_at, to_timestamp(${takenAt}::double precision / 1000))
    WHERE id = ${saleId} AND (total_stock = -1 OR held_stock + sold_stock + stock_margin + ${units} <= total_stock)`;
  return rows === 1;
}

/**
 * Takes a refunded order's units out of the sold ones, or out of the held ones if the payment was not counted yet.
 * Units that can't be sold again leave the total as well. @throws if fewer are counted there.
 */
export async function takeBackUnits(
  tx: Db,
  order: Units,
  { from, isForSale }: { from: 'held' | 'sold'; isForSale: boolean },
): Promise<void> {
  const { saleId, units } = order;
  const [held, sold] = from === 'held' ? [units, 0] : [0, units];
  const rows = await tx.$executeRaw`
    UPDATE sales
    SET held_stock = held_stock - ${held}::int, sold_stock = sold_stock - ${sold}::int,
        total_stock = total_stock - CASE WHEN total_stock = -1 OR ${isForSale} THEN 0 ELSE ${units}::int END
    WHERE id = ${saleId} AND held_stock >= ${held}::int AND sold_stock >= ${sold}::int`;
  const counters = { held: -held, sold: -sold, stock: isForSale ? 0 : -units };
  if (rows !== 1 || !(await countVariant(tx, order, counters)))
    throw new Error(`sale ${saleId}: fewer than ${units} units are ${from}`);
}
