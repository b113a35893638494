import { randomUUID } from 'node:crypto';

/**
 * What one process may accept through Redis under one loading of a sale. A unit is taken when the script is asked and
 * given back only when it has surely not been sold: an outcome that stays unknown stays counted. So `taken` is never less
 * than what Redis has accepted for this process, and never more than Postgres knows as granted.
 */
export type Grant = {
  readonly id: string;
  readonly epoch: number;
  granted: number;
  taken: number;
  /** Purchases of which Redis has not yet said what became of them. */
  underWay: number;
  /** Closed grants give nothing any more; what is under way may still come back. */
  isOpen: boolean;
  readonly waiting: Set<Waiting>;
};

type Waiting = { units: number; answer: (isTaken: boolean) => void };

/** Units a grant is kept ahead of what is taken: a twentieth of the stock, since a killed process keeps so many back. */
const [MIN_AHEAD, MAX_AHEAD] = [10, 1_000];
const SHARE = 20;

export const createGrant = (epoch: number): Grant => ({
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
export function takeGranted(grant: Grant, units: number, maxWaitMs: number): Promise<boolean> {
  if (!grant.isOpen) return Promise.resolve(false);
  if (grant.waiting.size === 0 && grant.taken + units <= grant.granted) {
    take(grant, units);
    return Promise.resolve(true);
  }
  return new Promise((resolve) => {
    const waiting: Waiting = {
      units,
      answer(isTaken) {
        clearTimeout(timer);
        grant.waiting.delete(waiting);
        resolve(isTaken);
      },
    };
    const timer = setTimeout(() => waiting.answer(false), maxWaitMs);
    grant.waiting.add(waiting);
  });
}

/**
 * A purchase is over. @param unsold how many of its units were surely not sold, so that somebody else may have them: all
 * or none.
 */
export function endPurchase(grant: Grant, unsold: number): void {
  grant.underWay -= 1;
  grant.taken -= unsold;
  if (grant.isOpen) serve(grant);
}

/** Postgres has granted so many in all. */
export function raiseGrant(grant: Grant, granted: number): void {
  grant.granted = Math.max(grant.granted, granted);
  if (grant.isOpen) serve(grant);
}

/** Nothing is taken from it any more; whoever waits is turned away. */
export function closeGrant(grant: Grant): void {
  grant.isOpen = false;
  for (const { answer } of grant.waiting) answer(false);
}

/**
 * How many units Postgres should grant in all now; null while enough are left. Asked for ahead of need, when half are gone.
 * @param total the sale's stock, −1 = unlimited.
 */
export function wantedGrant({ granted, taken, waiting }: Grant, total: number): number | null {
  const ahead =
    total === -1 ? MAX_AHEAD : Math.min(Math.max(Math.floor(total / SHARE), MIN_AHEAD), MAX_AHEAD);
  let needed = taken;
  for (const { units } of waiting) needed += units;
  return granted - needed < ahead / 2 ? needed + ahead : null;
}

function serve(grant: Grant): void {
  for (const { units, answer } of grant.waiting) {
    if (grant.taken + units > grant.granted) return;
    take(grant, units);
    answer(true);
  }
}

function take(grant: Grant, units: number): void {
  grant.taken += units;
  grant.underWay += 1;
}
