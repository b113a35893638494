import 'server-only';
import type { Db } from '@/lib/db/client';

/*
 * How many of a split sale's units each slice may sell, and which are on their way from one to another. Postgres decides:
 * a slice in Redis never has more units than its row says. Everything that changes or goes by these rows locks them
 * first, after the sale's own row where it needs that too.
 */

/** Units on their way. `giver` null: new to the sale. `receiver` null: out of the sale. */
export type Parcel = { number: number; giver: number | null; receiver: number | null; units: number };

export type Ledger = {
  /** Units by slice, those that are on their way to it included. */
  totals: number[];
  epochs: number[];
  /** Parcels that at least one slice does not know of yet, the earliest first. */
  parcels: Parcel[];
  /** Numbers for one parcel of each slice, the lowest first, and one more. They are higher than all earlier ones. */
  numbers: number[];
};

/**
 * Locks a sale's rows until the transaction ends, and reads them.
 * @param patienceMs how long to wait for others; 0: as long as the transaction lasts
 * @returns null for a sale that is not split, or was never loaded
 * @throws with SQLSTATE 55P03 when others did not finish in time
 */
export async function lockLedger(tx: Db, saleId: string, patienceMs = 0): Promise<Ledger | null> {
  await tx.$queryRaw`SELECT set_config('lock_timeout', ${`${patienceMs}ms`}, true)`;
  const slices = await tx.$queryRaw<{ total: number }[]>`
    SELECT total FROM sale_slices WHERE sale_id = ${saleId} ORDER BY slice FOR UPDATE`;
  if (slices.length === 0) return null;
  // Reads only now: the process it waited for may have made parcels, and taken numbers.
  const [row] = await tx.$queryRaw<{ epochs: number[]; numbers: string[]; parcels: Parcel[] | null }[]>`
    SELECT slice_epochs AS epochs,
           (SELECT array_agg(nextval('sale_parcel_numbers')::text) FROM generate_series(0, ${slices.length}::int)) AS numbers,
           (SELECT json_agg(json_build_object('number', number, 'giver', giver, 'receiver', receiver, 'units', units)
                            ORDER BY number)
              FROM sale_parcels WHERE sale_id = ${saleId}) AS parcels
      FROM sales WHERE id = ${saleId}`;
  const { epochs = [], numbers = [], parcels = [] } = row ?? {};
  return {
    totals: slices.map(({ total }) => total),
    epochs,
    parcels: parcels ?? [],
    numbers: numbers.map(Number).sort((a, b) => a - b),
  };
}

/** Deals a sale's units to its slices if that was not done before. The sale's row must be locked. */
export async function dealLedger(tx: Db, saleId: string, totals: readonly number[]): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO sale_slices (sale_id, slice, total)
    SELECT ${saleId}, at - 1, total FROM unnest(${[...totals]}::int[]) WITH ORDINALITY AS t (total, at)
    ON CONFLICT DO NOTHING`;
}

/** Moves units in the locked rows, and notes that the slices have to be told. */
export async function moveInLedger(tx: Db, saleId: string, parcels: readonly Parcel[]): Promise<void> {
  if (parcels.length === 0) return;
  const column = <K extends keyof Parcel>(name: K) => parcels.map((parcel) => parcel[name]);
  await tx.$executeRaw`
    WITH moved AS (
      SELECT * FROM unnest(${column('number')}::float8[], ${column('giver')}::int[], ${column('receiver')}::int[],
                           ${column('units')}::int[]) AS m (number, giver, receiver, units)
    ), noted AS (
      INSERT INTO sale_parcels (number, sale_id, giver, receiver, units)
      SELECT number::bigint, ${saleId}, giver, receiver, units FROM moved
    )
    UPDATE sale_slices s SET total = total + change.units
      FROM (SELECT slice, sum(units)::int AS units
              FROM (SELECT giver AS slice, -units AS units FROM moved UNION ALL SELECT receiver, units FROM moved) c
             WHERE slice IS NOT NULL GROUP BY slice) change
     WHERE s.sale_id = ${saleId} AND s.slice = change.slice`;
}

/** Moves units between slices of which Redis holds neither: nobody has to be told. The rows must be locked. */
export async function redealLedger(
  tx: Db,
  saleId: string,
  { giver, receiver, units }: { giver: number; receiver: number; units: number },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE sale_slices SET total = total + CASE slice WHEN ${receiver}::int THEN ${units}::int ELSE -${units}::int END
     WHERE sale_id = ${saleId} AND slice IN (${giver}::int, ${receiver}::int)`;
}

/**
 * Takes written-off units out of what their buyer's slice may sell. If it has fewer (its buyers got units that Postgres
 * had and it had not), the rest leaves the slices that have most. Does nothing for a sale that is not split.
 */
export async function writeOffInLedger(tx: Db, saleId: string, slice: number, units: number): Promise<void> {
  await tx.$executeRaw`
    WITH places AS (
      SELECT slice, sum(total) OVER (ORDER BY slice = ${slice}::int DESC, total DESC, slice) - total AS before
        FROM sale_slices WHERE sale_id = ${saleId}
    )
    UPDATE sale_slices s SET total = s.total - greatest(0, least(s.total, ${units}::int - p.before))::int
      FROM places p WHERE s.sale_id = ${saleId} AND s.slice = p.slice AND p.before < ${units}::int`;
}

/** Forgets parcels of which both slices know. */
export async function endInLedger(tx: Db, numbers: readonly number[]): Promise<void> {
  if (numbers.length > 0)
    await tx.$executeRaw`DELETE FROM sale_parcels WHERE number = ANY (${numbers.map(String)}::text[]::bigint[])`;
}

/** Reads the rows without a lock: units by slice, and all that is on its way. */
export async function readLedger(tx: Db, saleId: string): Promise<{ totals: number[]; parcels: Parcel[] }> {
  const [row] = await tx.$queryRaw<{ totals: number[] | null; parcels: Parcel[] | null }[]>`
    SELECT (SELECT json_agg(total ORDER BY slice) FROM sale_slices WHERE sale_id = ${saleId}) AS totals,
           (SELECT json_agg(json_build_object('number', number, 'giver', giver, 'receiver', receiver, 'units', units)
                            ORDER BY number)
              FROM sale_parcels WHERE sale_id = ${saleId}) AS parcels`;
  return { totals: row?.totals ?? [], parcels: row?.parcels ?? [] };
}
