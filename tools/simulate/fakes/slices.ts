import { stockFor } from '@/lib/slice/stock-ids';
import type { SimProcess } from '../sim-process';
import type { ParcelRow } from '../stores/rows';
import { sqlError, type Transaction } from '../stores/tables';
import type { Statements } from './line/statements';
import type { Session } from './session';

type Values = readonly unknown[];

const words = (text: string): string => text.replace(/\s+/g, ' ').trim();
const keyOf = (saleId: string, slice: number) => `${saleId} ${slice}`;
const byNumber = (a: ParcelRow, b: ParcelRow) => a.number - b.number;
const shown = ({ number, giver, receiver, units }: ParcelRow) => ({ number, giver, receiver, units });

/**
 * Makes the statements on the ledger of a split sale, which the product's verbs send as they stand.
 * @param later calls a function after so many ms
 */
export function ledgerStatements(
  { store }: Pick<Session, 'store'>,
  later: (ms: number, run: () => void) => void,
): Statements {
  const { slices, parcels, sales } = store;
  /** How long a transaction waits for a lock, ms; 0 or unknown: as long as it takes. */
  const patience = new WeakMap<Transaction, number>();
  const ofSale = (tx: Transaction, saleId: unknown) =>
    slices.find(tx, (row) => row.saleId === saleId).sort((a, b) => a.slice - b.slice);
  const parcelsOf = (tx: Transaction, saleId: unknown) =>
    parcels
      .find(tx, (row) => row.saleId === saleId)
      .sort(byNumber)
      .map(shown);
  const add = (tx: Transaction, saleId: unknown, slice: number, units: number) =>
    slices.update(
      tx,
      keyOf(String(saleId), slice),
      () => true,
      (row) => ({ total: row.total + units }),
    );
  /** Gives up a lock that does not come in time, as Postgres does. */
  const inTime = async <T>(tx: Transaction, locking: Promise<T>): Promise<T> => {
    const ms = patience.get(tx) ?? 0;
    if (ms === 0) return locking;
    locking.catch(() => {});
    const timeout = new Promise<never>((_, reject) =>
      later(ms, () => reject(sqlError('55P03', 'canceling statement due to lock timeout'))),
    );
    return Promise.race([locking, timeout]).catch((error) => {
      tx.refusal ??= sqlError('25P02', 'current transaction is aborted');
      throw error;
    });
  };

  return {
    "SELECT set_config('lock_timeout', ?, true)": (tx, [ms]: Values) => {
      patience.set(tx, Number.parseInt(String(ms), 10));
      return [{ set_config: ms }];
    },

    'SELECT total FROM sale_slices WHERE sale_id = ? ORDER BY slice FOR UPDATE': async (
      tx,
      [saleId]: Values,
    ) => {
      const lockAll = async () => {
        for (const { slice } of ofSale(tx, saleId)) await tx.lock(slices, keyOf(String(saleId), slice));
      };
      await inTime(tx, lockAll());
      return ofSale(tx, saleId).map(({ total }) => ({ total }));
    },

    [words(`SELECT slice_epochs AS epochs,
      (SELECT array_agg(nextval('sale_parcel_numbers')::text) FROM generate_series(0, ?::int)) AS numbers,
      (SELECT json_agg(json_build_object('number', number, 'giver', giver, 'receiver', receiver, 'units', units)
      ORDER BY number) FROM sale_parcels WHERE sale_id = ?) AS parcels FROM sales WHERE id = ?`)]: (
      tx,
      [count, , saleId]: Values,
    ) => {
      const sale = sales.get(tx, String(saleId));
      const numbers = Array.from({ length: Number(count) + 1 }, () => String(store.nextId()));
      const all = parcelsOf(tx, saleId);
      return sale ? [{ epochs: sale.sliceEpochs, numbers, parcels: all.length > 0 ? all : null }] : [];
    },

    [words(`INSERT INTO sale_slices (sale_id, slice, total)
      SELECT ?, at - 1, total FROM unnest(?::int[]) WITH ORDINALITY AS t (total, at) ON CONFLICT DO NOTHING`)]:
      async (tx, [saleId, totals]: Values) => {
        let written = 0;
        for (const [slice, total] of (totals as number[]).entries()) {
          const row = { saleId: String(saleId), slice, total };
          if (await slices.insert(tx, keyOf(row.saleId, slice), row)) written += 1;
        }
        return written;
      },

    [words(`WITH moved AS (
      SELECT * FROM unnest(?::float8[], ?::int[], ?::int[], ?::int[]) AS m (number, giver, receiver, units)
      ), noted AS ( INSERT INTO sale_parcels (number, sale_id, giver, receiver, units)
      SELECT number::bigint, ?, giver, receiver, units FROM moved )
      UPDATE sale_slices s SET total = total + change.units FROM (SELECT slice, sum(units)::int AS units
      FROM (SELECT giver AS slice, -units AS units FROM moved UNION ALL SELECT receiver, units FROM moved) c
      WHERE slice IS NOT NULL GROUP BY slice) change WHERE s.sale_id = ? AND s.slice = change.slice`)]:
      async (tx, [numbers, givers, receivers, units, saleId]: Values) => {
        const change = new Map<number, number>();
        for (const [at, number] of (numbers as number[]).entries()) {
          const [giver = null, receiver = null, count = 0] = [
            (givers as (number | null)[])[at],
            (receivers as (number | null)[])[at],
            (units as number[])[at],
          ];
          const row = { number, saleId: String(saleId), giver, receiver, units: count };
          if (!(await parcels.insert(tx, String(number), row))) throw sqlError('23505', 'sale_parcels_pkey');
          if (giver !== null) change.set(giver, (change.get(giver) ?? 0) - count);
          if (receiver !== null) change.set(receiver, (change.get(receiver) ?? 0) + count);
        }
        for (const [slice, count] of change) await add(tx, saleId, slice, count);
        for (const slice of change.keys())
          if (!slices.get(tx, keyOf(String(saleId), slice)))
            throw sqlError('23503', 'sale_parcels_sale_id_fkey');
        return change.size;
      },

    [words(`UPDATE sale_slices SET total = total + CASE slice WHEN ?::int THEN ?::int ELSE -?::int END
      WHERE sale_id = ? AND slice IN (?::int, ?::int)`)]: async (tx, [to, units, , saleId, from]: Values) => {
      await add(tx, saleId, Number(to), Number(units));
      await add(tx, saleId, Number(from), -Number(units));
      return 2;
    },

    [words(`WITH places AS (
      SELECT slice, sum(total) OVER (ORDER BY slice = ?::int DESC, total DESC, slice) - total AS before
      FROM sale_slices WHERE sale_id = ? )
      UPDATE sale_slices s SET total = s.total - greatest(0, least(s.total, ?::int - p.before))::int
      FROM places p WHERE s.sale_id = ? AND s.slice = p.slice AND p.before < ?::int`)]: async (
      tx,
      [first, saleId, units]: Values,
    ) => {
      const rank = (slice: number) => (slice === first ? 0 : 1);
      const order = ofSale(tx, saleId).sort(
        (a, b) => rank(a.slice) - rank(b.slice) || b.total - a.total || a.slice - b.slice,
      );
      let missing = Number(units);
      for (const { slice, total } of order) {
        const taken = Math.min(total, missing);
        if (missing > 0) await add(tx, saleId, slice, -taken);
        missing -= taken;
      }
      return order.length;
    },

    'DELETE FROM sale_parcels WHERE number = ANY (?::text[]::bigint[])': async (tx, [numbers]: Values) => {
      for (const number of numbers as string[]) await parcels.delete(tx, number);
      return (numbers as string[]).length;
    },

    [words(`SELECT (SELECT json_agg(total ORDER BY slice) FROM sale_slices WHERE sale_id = ?) AS totals,
      (SELECT json_agg(json_build_object('number', number, 'giver', giver, 'receiver', receiver, 'units', units)
      ORDER BY number) FROM sale_parcels WHERE sale_id = ?) AS parcels`)]: (tx, [saleId]: Values) => {
      const [totals, all] = [ofSale(tx, saleId).map(({ total }) => total), parcelsOf(tx, saleId)];
      return [{ totals: totals.length > 0 ? totals : null, parcels: all.length > 0 ? all : null }];
    },

    [words(`SELECT id, slices, status = 'draft' AS "isDraft" FROM sales WHERE id = ANY (?::text[])`)]: (
      tx,
      [saleIds]: Values,
    ) =>
      sales
        .find(tx, ({ id }) => (saleIds as string[]).includes(id))
        .map(({ id, slices: count, status }) => ({ id, slices: count, isDraft: status === 'draft' })),
  };
}

/** Makes the verbs that move units between slices, and teaches Postgres its ledger. */
export function sliceFakes(process: SimProcess, session: Session) {
  const { parcels, time, ledger } = process.world;
  const ask = <T>(what: string, effect: () => T) => process.call('redis', what, effect);
  session.learn(ledgerStatements(session, (ms, run) => time.after(ms, run)));

  return {
    'lib/stock/give-parcel': {
      giveParcel: (stockId, parcel) =>
        ask(`give ${parcel.number}: ${parcel.units} of ${stockId}`, () => parcels.give(stockId, parcel)),
    } satisfies typeof import('@/lib/stock/give-parcel'),
    'lib/stock/take-parcel': {
      takeParcel: (stockId, parcel) =>
        ask(`take ${parcel.number}: ${parcel.units} to ${stockId}`, () => ({
          status: parcels.take(stockId, parcel),
        })),
    } satisfies typeof import('@/lib/stock/take-parcel'),
    'lib/stock/end-parcel': {
      endParcel: (stockId, number, isBack) =>
        ask(`end ${number} of ${stockId}${isBack ? ', back' : ''}`, () => ({
          status: parcels.end(stockId, number, isBack),
        })),
    } satisfies typeof import('@/lib/stock/end-parcel'),
    'lib/metrics/slice-meter': {
      countMoved: () => ledger.count('units moved'),
      countFailedSearch: () => ledger.count('units not found'),
    },
  };
}

/** Returns the stock that counts what a user buys; a named one stays. */
export const stockOf = ({ slices }: { slices: number }, saleId: string, userId: string): string =>
  saleId.includes('/') ? saleId : stockFor(saleId, userId, slices);
