import 'server-only';
import { db } from '@/lib/db/client';
import { sqlState } from '@/lib/db/sql-state';
import { transaction } from '@/lib/db/transaction';
import { unlessOutage } from '@/lib/errors/unless-outage';
import { countMoved } from '@/lib/metrics/slice-meter';
import {
  endInLedger,
  type Ledger,
  lockLedger,
  moveInLedger,
  type Parcel,
} from '@/lib/sale/records/slice-ledger';
import { giveParcel } from '@/lib/stock/give-parcel';
import { limitMs } from '@/lib/time-limits';
import { deliver, type Settled, settleWithin } from './settle-parcels';

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Moves units for sale to a slice that has too few, from the slices that have most: half of each, or as many as are
 * wanted. There are three steps: a script takes the units out, Postgres moves them in the ledger, a script puts them on
 * sale. `settleParcels` completes them after a crash. No unit counts twice (decision 065).
 * @param to the slice; `wanted` units should be for sale there
 * @param isLoading the slice is about to be loaded, and its load counts the units in: it is not told of them
 * @returns `moved`: it has more units than before, or enough. `busy`: others were at it, or a server was away.
 *   `none`: no other slice had any. @throws connection errors of Postgres
 */
export async function moveUnits(
  { saleId, stocks }: { saleId: string; stocks: readonly string[] },
  to: number,
  wanted: number,
  isLoading = false,
): Promise<'moved' | 'none' | 'busy'> {
  let parcels: Parcel[] = [];
  try {
    const status = await transaction(async (tx) => {
      const ledger = await lockLedger(tx, saleId, limitMs('sliceLedgerLock'));
      if (!ledger) return 'busy';
      const settled = await settleWithin(tx, ledger, stocks);
      const missing = isLoading ? wanted : wanted - (settled.slices[to]?.available ?? 0);
      if (missing <= 0) return 'moved';
      if (!isLoading && (settled.waiting.has(to) || !settled.slices[to])) return 'busy';
      parcels = await collect(ledger, settled, stocks, to, missing);
      await moveInLedger(tx, saleId, parcels);
      if (parcels.length > 0) return 'moved';
      return settled.slices.includes(null) ? 'busy' : 'none';
    }, limitMs('sliceMove'));
    for (const { units } of parcels) countMoved(saleId, to, units);
    if (!isLoading) await deliverAll(parcels, stocks);
    return status;
  } catch (error) {
    if (sqlState(error) === LOCK_NOT_AVAILABLE) return 'busy';
    throw error;
  }
}

/** Takes units out of the slices that have most. An unclear outcome is left to `settleParcels`. */
async function collect(
  { epochs, numbers }: Ledger,
  { slices }: Settled,
  stocks: readonly string[],
  to: number,
  missing: number,
): Promise<Parcel[]> {
  const parcels: Parcel[] = [];
  const givers = slices
    .flatMap((slice, at) =>
      slice && at !== to && slice.available > 0 && slice.sent === 0 && slice.epoch === epochs[at]
        ? [{ at, available: slice.available, epoch: slice.epoch }]
        : [],
    )
    .sort((a, b) => b.available - a.available);
  for (const [nth, { at, available, epoch }] of givers.entries()) {
    if (missing <= 0) break;
    const [number, units] = [
      numbers[nth] as number,
      Math.min(available, Math.max(missing, Math.floor(available / 2))),
    ];
    const reply = await unlessOutage(giveParcel(stocks[at] as string, { epoch, number, units }), null);
    if (reply?.status !== 'given') continue;
    parcels.push({ number, giver: at, receiver: to, units: reply.units });
    missing -= reply.units;
  }
  return parcels;
}

/** Tells the slices. The receiver waits for no earlier parcel, so these come in their order. */
async function deliverAll(parcels: readonly Parcel[], stocks: readonly string[]): Promise<void> {
  if (parcels.length === 0) return;
  const ended: number[] = [];
  for (const parcel of parcels) {
    const status = await deliver(parcel, stocks);
    if (status === 'not_taken') break;
    if (status === 'ended') ended.push(parcel.number);
  }
  await endInLedger(db(), ended);
}
