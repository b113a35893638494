import 'server-only';
import { type Db, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { unlessOutage } from '@/lib/errors/unless-outage';
import {
  endInLedger,
  type Ledger,
  lockLedger,
  type Parcel,
  readLedger,
} from '@/lib/sale/records/slice-ledger';
import { slicesOf } from '@/lib/slice/numbers/slices-of';
import { stocksOf } from '@/lib/slice/numbers/stock-ids';
import { endParcel } from '@/lib/stock/end-parcel';
import type { SliceStock } from '@/lib/stock/read-slice';
import { takeParcel } from '@/lib/stock/take-parcel';
import { readSlices } from './read-slices';

/** Slices as they are once parcels are settled; null where one could not be read. */
export type Settled = {
  slices: (SliceStock | null)[];
  /** Slices that wait for a parcel. None may be sent after it: a slice takes parcels in their order. */
  waiting: ReadonlySet<number>;
};

/**
 * Completes what was left undone when somebody who moved units died: parcels that Postgres has moved come to their
 * slices; those that left a slice and that Postgres never moved go back. Safe at any time and from several processes.
 * Cheap when there is nothing to do.
 * @throws connection errors of Postgres
 */
export async function settleParcels(saleId: string): Promise<void> {
  const slices = await slicesOf(saleId);
  if (slices === 1) return;
  const stocks = stocksOf(saleId, slices);
  const [{ parcels }, seen] = await Promise.all([readLedger(db(), saleId), readSlices(stocks)]);
  if (parcels.length === 0 && !seen.some((slice) => slice && slice.sent > 0)) return;
  await transaction(async (tx) => {
    const ledger = await lockLedger(tx, saleId);
    if (ledger) await settleWithin(tx, ledger, stocks);
  });
}

/** Does that with the ledger locked, for somebody who wants to move units. */
export async function settleWithin(tx: Db, ledger: Ledger, stocks: readonly string[]): Promise<Settled> {
  const waiting = new Set<number>();
  const ended: number[] = [];
  for (const parcel of ledger.parcels) {
    if (parcel.receiver !== null && waiting.has(parcel.receiver)) continue;
    const status = await deliver(parcel, stocks);
    if (status === 'not_taken') waiting.add(parcel.receiver as number);
    if (status === 'ended') ended.push(parcel.number);
  }
  await endInLedger(tx, ended);
  const slices = await readSlices(stocks);
  const moved = new Set(ledger.parcels.map(({ number }) => number));
  for (const [at, slice] of slices.entries()) {
    // The rows are locked, so no other process is between taking units out of a slice and moving them in Postgres.
    if (!slice || slice.sent === 0 || moved.has(slice.given)) continue;
    const back = await unlessOutage(endParcel(stocks[at] as string, slice.given, true), null);
    slices[at] = back
      ? { ...slice, total: slice.total + slice.sent, available: slice.available + slice.sent, sent: 0 }
      : null;
  }
  return { slices, waiting };
}

/** Tells both slices of a parcel that Postgres has moved. `not_ended`: the giver could not be told. */
export async function deliver(
  { number, units, giver, receiver }: Parcel,
  stocks: readonly string[],
): Promise<'ended' | 'not_taken' | 'not_ended'> {
  if (receiver !== null) {
    const taken = await unlessOutage(takeParcel(stocks[receiver] as string, { number, units }), null);
    // A slice that is not loaded gets the units by its next load, and says then that it has taken them.
    if (!taken || taken.status === 'unknown_sale') return 'not_taken';
  }
  if (giver === null) return 'ended';
  return (await unlessOutage(endParcel(stocks[giver] as string, number, false), null))
    ? 'ended'
    : 'not_ended';
}
