import 'server-only';
import {
  type Allocation,
  closeAllocation,
  createAllocation,
  raiseAllocation,
  takeAllocated,
  wantedAllocation,
} from '@/lib/fallback/allocation';
import { saveAccepted, saveAllocation } from '@/lib/fallback/save-allocation';
import type { Route } from '@/lib/fallback/types';
import { log } from '@/lib/http/log';
import { handOver } from '../order/hand-over';
import { replayAccepted } from '../recovery/replay-accepted';
import { hasOlder, rememberAccepted, takeOlder } from './accepted-memory';

/** How long a purchase waits for units to be granted: a round trip to Postgres, a few when it is busy. */
const ALLOCATION_WAIT_MS = 1_000;

/** A sale that this process follows, and what it may accept of it through Redis. */
export type RouteAllocations = {
  route: Route;
  /** What this process may accept now. */
  allocation: Allocation | null;
  isRaising: boolean;
  /** How often at this moment remembered purchases are being handed over. */
  handingOver: number;
  /** Allocations that are over, with the number Postgres has been told; null = none yet. */
  ended: Map<Allocation, number | null>;
};

/** Takes units of the present allocation, which is made with the first. @returns null if none were granted in time. */
export async function takeGrant(followed: RouteAllocations, units: number): Promise<Allocation | null> {
  followed.allocation ??= createAllocation(followed.route.epoch);
  const { allocation } = followed;
  const taking = takeAllocated(allocation, units, ALLOCATION_WAIT_MS);
  raise(followed);
  return (await taking) ? allocation : null;
}

/** Whether 202s were answered that are not known where the sale is sold now. */
export const isOwing = ({ route, handingOver }: RouteAllocations): boolean =>
  handingOver > 0 || hasOlder(route.saleId, route.epoch);

/** Nothing more is accepted under the present allocation. */
export function endAllocation(followed: RouteAllocations): void {
  if (!followed.allocation) return;
  closeAllocation(followed.allocation);
  followed.ended.set(followed.allocation, null);
  followed.allocation = null;
}

/**
 * Hands over what this process has accepted under a loading that is over, then says how many units that were. Fails at
 * nothing: what could not be done is done the next time.
 */
export async function settleAllocations(followed: RouteAllocations): Promise<void> {
  const { route, ended } = followed;
  const { saleId, mode, epoch } = route;
  try {
    if (mode !== 'redis') await handOverRemembered(followed);
    // It was sold elsewhere and is back, and this process has slept through it.
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

async function handOverRemembered(followed: RouteAllocations): Promise<void> {
  const { saleId, epoch } = followed.route;
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

function raise(followed: RouteAllocations): void {
  const { allocation, route } = followed;
  if (!allocation || followed.isRaising) return;
  const wanted = wantedAllocation(allocation, route.total);
  if (wanted === null) return;
  followed.isRaising = true;
  const { saleId } = route;
  void saveAllocation(saleId, allocation, wanted)
    .then((isGranted) => {
      // Not granted: the sale has left Redis, which the next look shows.
      if (isGranted) raiseAllocation(allocation, wanted);
      return isGranted;
    })
    .catch((err) => {
      log.warn({ saleId, err }, 'no units could be granted');
      return false;
    })
    .then((isGranted) => {
      followed.isRaising = false;
      // Others may have come to wait meanwhile.
      if (isGranted) raise(followed);
    });
}
