import 'server-only';
import type { Db } from '@/lib/db/client';
import { lockLedger, moveInLedger, type Parcel } from '@/lib/sale/records/slice-ledger';
import { dealUnits } from '@/lib/slice/numbers/deal-units';
import { stocksOf } from '@/lib/slice/numbers/stock-ids';
import { giveParcel } from '@/lib/stock/give-parcel';
import { StockNotLoadedError } from '@/lib/stock/stock-not-loaded-error';
import { settleWithin } from './settle-parcels';

type Split = { saleId: string; slices: number };

/**
 * Adds units to a split sale, dealt to its slices, in the transaction that raises its total. The slices get them when that
 * is committed: call `settleParcels` then.
 */
export async function addToSlices(tx: Db, { saleId, slices }: Split, units: number): Promise<void> {
  const ledger = await lockLedger(tx, saleId);
  // Never loaded: the first load deals what Postgres has by then.
  if (!ledger) return;
  const parcels = dealUnits(units, slices).flatMap((each, receiver): Parcel[] =>
    each > 0 ? [{ number: ledger.numbers[receiver] as number, giver: null, receiver, units: each }] : [],
  );
  await moveInLedger(tx, saleId, parcels);
}

/**
 * Takes unsold units out of the slices of a sale, from those that have most, in the transaction that lowers its total. If
 * that is rolled back, they go back on sale with the next `settleParcels`.
 * @param takenAt epoch ms, as Postgres records it
 * @returns null, or how many were for sale, if those are fewer; then nothing is taken
 * @throws StockNotLoadedError while a slice can't be read, connection errors
 */
export async function takeFromSlices(
  tx: Db,
  { saleId, slices: count }: Split,
  units: number,
  takenAt: number,
): Promise<number | null> {
  const stocks = stocksOf(saleId, count);
  const ledger = await lockLedger(tx, saleId);
  if (!ledger) throw new StockNotLoadedError(`${saleId} was never loaded`);
  const { slices } = await settleWithin(tx, ledger, stocks);
  const parcels: Parcel[] = [];
  let missing = units;
  const byMost = [...slices.entries()].sort(([, a], [, b]) => (b?.available ?? 0) - (a?.available ?? 0));
  for (const [giver, slice] of byMost) {
    if (!slice || slice.sent > 0) throw new StockNotLoadedError(`${stocks[giver]} can't give units now`);
    if (missing === 0 || slice.available === 0) continue;
    const number = ledger.numbers[parcels.length] as number;
    const { epoch } = slice;
    const reply = await giveParcel(stocks[giver] as string, { epoch, number, units: missing, takenAt });
    if (reply.status === 'none') continue;
    if (reply.status !== 'given') throw new StockNotLoadedError(`${stocks[giver]}: ${reply.status}`);
    parcels.push({ number, giver, receiver: null, units: reply.units });
    missing -= reply.units;
  }
  // The caller rolls back: what was taken was never moved in Postgres, and goes back.
  if (missing > 0) return units - missing;
  await moveInLedger(tx, saleId, parcels);
  return null;
}
