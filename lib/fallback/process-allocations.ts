import 'server-only';
import { hasOlder, rememberAccepted, takeOlder } from '@/lib/accepted/accepted-memory';
import {
  type Allocation,
  closeAllocation,
  createAllocation,
  raiseAllocation,
  takeAllocated,
  wantedAllocation,
} from '@/lib/fallback/records/allocation';
import { saveAccepted, saveAllocation } from '@/lib/fallback/records/save-allocation';
import type { StockPlace } from '@/lib/fallback/records/types';
import { log } from '@/lib/http/log';
import { replayAccepted } from '@/lib/loading/replay-accepted';
import { handOver } from '@/lib/settlement/hand-over';
import { limitMs } from '@/lib/time-limits';

/** A sale that this process follows, and how many of its units the process may accept through Redis. */
export type ProcessAllocations = {
  place: StockPlace;
  /** The present allocation, under which this process may accept. */
  allocation: Allocation | null;
  isRaising: boolean;
  /** How many times remembered purchases are being handed over at this moment. */
  handingOver: number;
  /** Allocations that have ended, each with the number of units that Postgres was told; null: none yet. */
  ended: Map<Allocation, number | null>;
};

/** Takes units of the present allocation; the first call makes it. @returns null if none were granted in time */
export async function takeGrant(followed: ProcessAllocations, units: number): Promise<Allocation | null> {
  followed.allocation ??= createAllocation(followed.place.epoch);
  const { allocation } = followed;
  const taking = takeAllocated(allocation, units, limitMs('allocation'));
  raise(followed);
  return (await taking) ? allocation : null;
}

/** Tells whether this process has answered 202 to purchases that the store that sells now doesn't know. */
export const isOwing = ({ place, handingOver }: ProcessAllocations): boolean =>
  handingOver > 0 || hasOlder(place.saleId, place.epoch);

/** Ends the present allocation: nothing more is accepted under it. */
export function endAllocation(followed: ProcessAllocations): void {
  if (!followed.allocation) return;
  closeAllocation(followed.allocation);
  followed.ended.set(followed.allocation, null);
  followed.allocation = null;
}

/**
 * Hands over the purchases that this process accepted under loadings that have ended, then tells Postgres how many
 * units the ended allocations took. Never throws: what fails now is done the next time.
 */
export async function settleAllocations(followed: ProcessAllocations): Promise<void> {
  const { place, ended } = followed;
  const { saleId, mode, epoch } = place;
  try {
    if (mode !== 'redis') await handOverRemembered(followed);
    // The sale was sold elsewhere and is back, and this process noticed neither.
    else await replayAccepted(saleId, epoch);
    for (const [allocation, told] of ended) {
      const { taken } = allocation;
      if (taken !== told) await saveAccepted(saleId, allocation, taken);
      if (allocation.underWay === 0) ended.delete(allocation);
      else ended.set(allocation, taken);
    }
  } catch (err) {
    log.warn({ saleId, err }, 'accepted purchases could not be handed over yet');
  }
}

async function handOverRemembered(followed: ProcessAllocations): Promise<void> {
  const { saleId, epoch } = followed.place;
  const orders = takeOlder(saleId, epoch);
  if (orders.length === 0) return;
  followed.handingOver += 1;
  try {
    await handOver(saleId, orders);
  } catch (error) {
    rememberAccepted(saleId, 0, orders);
    throw error;
  } finally {
    followed.handingOver -= 1;
  }
}

function raise(followed: ProcessAllocations): void {
  const { allocation, place } = followed;
  if (!allocation || followed.isRaising) return;
  const wanted = wantedAllocation(allocation, place.total);
  if (wanted === null) return;
  followed.isRaising = true;
  const { saleId } = place;
  void saveAllocation(saleId, allocation, wanted)
    .then((isGranted) => {
      // No grant means that the sale has left Redis. The next look shows that.
      if (isGranted) raiseAllocation(allocation, wanted);
      return isGranted;
    })
    .catch((err) => {
      log.warn({ saleId, err }, 'no units could be granted');
      return false;
    })
    .then((isGranted) => {
      followed.isRaising = false;
      // More purchases may be waiting by now.
      if (isGranted) raise(followed);
    });
}
