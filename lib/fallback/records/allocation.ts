import { randomUUID } from 'node:crypto';

/**
 * The units one process may accept through Redis under one loading of a sale. Asking the script takes them; they come
 * back only if they were surely not sold. An unknown outcome stays counted. So `taken` is never less than what Redis
 * has accepted for this process, and never more than Postgres has granted.
 */
export type Allocation = {
  readonly id: string;
  readonly epoch: number;
  granted: number;
  taken: number;
  /** Number of purchases whose outcome Redis has not answered yet. */
  underWay: number;
  /** A closed allocation gives no more units. Purchases under way may still return theirs. */
  isOpen: boolean;
  readonly waiting: Set<Waiting>;
};

type Waiting = { units: number; answer: (isTaken: boolean) => void };

/**
 * How many units an allocation stays ahead of those taken: a twentieth of the stock, within these bounds. A killed
 * process keeps so many units from being sold.
 */
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
 * Takes units for a purchase, in the order of the calls. Waits for a larger grant if necessary.
 * @param maxWaitMs after this long the call gives up. @returns whether the units were taken; then `endPurchase` must
 *   follow.
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
 * Ends a purchase. @param unsold how many of its units were surely not sold, so that another purchase may have them:
 * all or none.
 */
export function endPurchase(allocation: Allocation, unsold: number): void {
  allocation.underWay -= 1;
  allocation.taken -= unsold;
  if (allocation.isOpen) serve(allocation);
}

/** Notes how many units Postgres has granted in all. */
export function raiseAllocation(allocation: Allocation, granted: number): void {
  allocation.granted = Math.max(allocation.granted, granted);
  if (allocation.isOpen) serve(allocation);
}

/** Closes the allocation: it gives no more units, and turns waiting purchases away. */
export function closeAllocation(allocation: Allocation): void {
  allocation.isOpen = false;
  for (const { answer } of allocation.waiting) answer(false);
}

/**
 * Returns how many units Postgres should grant in all now; null while enough are left. Asks ahead of need, when half
 * are gone.
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
