import { transaction } from '@/lib/db/transaction';
import { lockLedger, moveInLedger, type Parcel } from '@/lib/sale/records/slice-ledger';
import { giveParcel } from '@/lib/stock/give-parcel';
import { takeParcel } from '@/lib/stock/take-parcel';
import type { SplitSale } from './split-sale';

/** After which step of moving units the mover dies: its parcel left the slice, was moved in Postgres, or was taken. */
export const STAGES = ['given', 'moved', 'taken'] as const;
export type Stage = (typeof STAGES)[number];

class Died extends Error {}

/**
 * Moves units between two slices as `moveUnits` does, and dies after one of its steps. Does nothing where units are on
 * their way already, since a mover settles those first.
 * @returns the parcel, if it came to be one
 */
export async function interruptMove(
  { saleId, stocks }: SplitSale,
  { from, to, units, stage }: { from: number; to: number; units: number; stage: Stage },
): Promise<Parcel | null> {
  let parcel: Parcel | null = null;
  const moving = transaction(async (tx) => {
    const ledger = await lockLedger(tx, saleId);
    if (!ledger || ledger.parcels.length > 0) return;
    const number = ledger.numbers[0] as number;
    const reply = await giveParcel(stocks[from] as string, {
      epoch: ledger.epochs[from] as number,
      number,
      units,
    });
    if (reply.status !== 'given') return;
    parcel = { number, giver: from, receiver: to, units: reply.units };
    await moveInLedger(tx, saleId, [parcel]);
    if (stage === 'given') throw new Died();
  });
  await moving.catch((error) => {
    if (!(error instanceof Died)) throw error;
  });
  if (parcel && stage === 'taken') await takeParcel(stocks[to] as string, parcel);
  return parcel;
}
