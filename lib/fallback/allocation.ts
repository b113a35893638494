import { randomUUID } from 'node:crypto';

/**
 * What one process may accept through Redis under one loading of a sale. A unit is taken when the script is asked and
 * given back only when it has surely not been sold: an outcome that stays unknown stays counted. So `taken` is never less
 * than what Redis has accepted for this process, and never more than Postgres knows as granted.
 */
export type Allocation = {
  readonly id: string;
  readonly epoch: number;
  granted: number;
  taken: number;
  /** Purchases of which Redis has not yet said what became of them. */
  underWay: number;
  /** Closed allocations give nothing any more; what is under way may still come back. */
  isOpen: boolean;
  readonly waiting: Set<Waiting>;
};

type Waiting = { units: number; answer: (isTaken: boolean) => void };

/** Units an allocation is kept ahead of what is taken: a twentieth of the stock, since a killed process keeps so many back. */
const [MIN_AHEAD, MAX_AHEAD] = [10, 1_000];
const SHARE = 20;

export const createAllocation = (epoch: number): Allocation => ({
  id: randomUUID(),
  epoch,
  granted: 0,
  taken: 0,
  underWay: 0,
  isOpen: true,
  waiting: new Set(),
});

/**
 * Takes units for a purchase, waiting for more to be granted if need be; in the order of asking.
 * @param maxWaitMs after this long it is given up. @returns whether they were taken; then `endPurchase` must follow.
 */
export function takeAllocated(allocation: Allocation, units: number, maxWaitMs: number): Promise<boolean> {
  if (!allocation.isOpen) return Promise.resolve(false);
  if (allocation.waiting.size === 0 && allocation.taken + units <= allocation.granted) {
    take(allocation, units);
    return Promise.resolve(true);
  }
  return new Promise((resolve) => {
    const waiting: Waiting = {
      units,
      answer(isTaken) {
        clearTimeout(timer);
        allocation.waiting.delete(waiting);
        resolve(isTaken);
      },
    };
    const timer = setTimeout(() => waiting.answer(false), maxWaitMs);
    allocation.waiting.add(waiting);
  });
}

/**
 * A purchase is over. @param unsold how many of its units were surely not sold, so that somebody else may have them: all
 * or none.
 */
export function endPurchase(allocation: Allocation, unsold: number): void {
  allocation.underWay -= 1;
  allocation.taken -= unsold;
  if (allocation.isOpen) serve(allocation);
}

/** Postgres has granted so many in all. */
export function raiseAllocation(allocation: Allocation, granted: number): void {
  allocation.granted = Math.max(allocation.granted, granted);
  if (allocation.isOpen) serve(allocation);
}

/** Nothing is taken from it any more; whoever waits is turned away. */
export function closeAllocation(allocation: Allocation): void {
  allocation.isOpen = false;
  for (const { answer } of allocation.waiting) answer(false);
}

/**
 * How many units Postgres should allocation in all now; null while enough are left. Asked for ahead of need, when half are gone.
 * @param total the sale's stock, −1 = unlimited.
 */
export function wantedAllocation({ granted, taken, waiting }: Allocation, total: number): number | null {
  const ahead =
    total === -1 ? MAX_AHEAD : Math.min(Math.max(Math.floor(total / SHARE), MIN_AHEAD), MAX_AHEAD);
  let needed = taken;
  for (const { units } of waiting) needed += units;
  return granted - needed < ahead / 2 ? needed + ahead : null;
}

function serve(allocation: Allocation): void {
  for (const { units, answer } of allocation.waiting) {
    if (allocation.taken + units > allocation.granted) return;
    take(allocation, units);
    answer(true);
  }
}

function take(allocation: Allocation, units: number): void {
  allocation.taken += units;
  allocation.underWay += 1;
}
