import 'server-only';
import type { Db } from '@/lib/db/client';

/*
 * The sale's counters in Postgres: units held by unpaid orders, and units sold. Each change is a conditional update,
 * checked by row count. The sale's row is the busiest of all: every transaction touches it last (lock order: payment,
 * order, sale). Functions that take units get `takenAt`, Redis's epoch ms; the latest one is when the sale sold out.
 */

/**
 * Counts the units of accepted purchases as held.
 * @returns false if the sale has fewer left: then Redis should not have accepted them.
 */
export async function holdUnits(tx: Db, saleId: string, units: number, takenAt: number): Promise<boolean> {
  const rows = await tx.$executeRaw`
    UPDATE sales
    SET held_stock = held_stock + ${units}, sold_out_at = greatest(sold_out_at, to_timestamp(${takenAt}::double precision / 1000))
    WHERE id = ${saleId} AND (total_stock = -1 OR held_stock + sold_stock + ${units} <= total_stock)`;
  return rows === 1;
}

/**
 * Counts units as held that were not promised to any shopper yet. The units that Redis may have promised before it
 * went away are not taken.
 * @returns false if there are fewer left.
 */
export async function holdFreeUnits(
  tx: Db,
  saleId: string,
  units: number,
  takenAt: number,
): Promise<boolean> {
  const rows = await tx.$executeRaw`
    UPDATE sales
    SET held_stock = held_stock + ${units}, sold_out_at = greatest(sold_out_at, to_timestamp(${takenAt}::double precision / 1000))
    WHERE id = ${saleId} AND (total_stock = -1 OR held_stock + sold_stock + stock_margin + ${units} <= total_stock)`;
  return rows === 1;
}

/** Counts held units as available again. @throws if fewer are held: that is a bug, and must not be rounded off. */
export async function releaseUnits(tx: Db, saleId: string, units: number): Promise<void> {
  const rows = await tx.$executeRaw`
    UPDATE sales SET held_stock = held_stock - ${units} WHERE id = ${saleId} AND held_stock >= ${units}`;
  if (rows !== 1) throw new Error(`sale ${saleId}: fewer than ${units} units are held`);
}

/** Counts free units as sold at once, for late money if a unit is left. @returns false if there are fewer left. */
export async function sellFreeUnits(
  tx: Db,
  saleId: string,
  units: number,
  takenAt: number,
): Promise<boolean> {
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
  saleId: string,
  units: number,
  { from, isForSale }: { from: 'held' | 'sold'; isForSale: boolean },
): Promise<void> {
  const [held, sold] = from === 'held' ? [units, 0] : [0, units];
  const rows = await tx.$executeRaw`
    UPDATE sales
    SET held_stock = held_stock - ${held}::int, sold_stock = sold_stock - ${sold}::int,
        total_stock = total_stock - CASE WHEN total_stock = -1 OR ${isForSale} THEN 0 ELSE ${units}::int END
    WHERE id = ${saleId} AND held_stock >= ${held}::int AND sold_stock >= ${sold}::int`;
  if (rows !== 1) throw new Error(`sale ${saleId}: fewer than ${units} units are ${from}`);
}
