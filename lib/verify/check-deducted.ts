import type { Findings } from './findings';
import type { RedisAccount } from './read-redis-account';
import type { PurchaseCount } from './scan-purchases';

/** Tells whether no units moved between two readings of one loading. */
export const isQuiet = (before: RedisAccount, after: RedisAccount): boolean =>
  (['available', 'held', 'sold', 'accepted', 'retaken'] as const).every(
    (field) => before[field] === after[field],
  );

/**
 * Invariant 3 within Redis: checks that the tiers are the sums of the buyer records. Pure. The records can't be read in
 * one instant. If nothing moved between `before` and `after`, the count must be exact. If t units were taken and r
 * released meanwhile, it may be short of the last tiers by t, and above them by r.
 */
export function checkDeducted(
  before: RedisAccount,
  after: RedisAccount,
  count: Omit<PurchaseCount, 'byVariant'>,
  limitPerUser: number,
  findings: Findings,
): void {
  // Redis was loaded again in between: the two readings have nothing to do with each other.
  if (before.epoch !== after.epoch) return;
  const { held, sold } = after;
  if (isQuiet(before, after)) {
    if (count.heldUnits !== held || count.soldUnits !== sold) {
      const counted = { countedHeld: count.heldUnits, countedSold: count.soldUnits };
      findings.add(3, 'records_differ', { held, sold, ...counted });
    }
    return;
  }
  if (before.accepted === null || after.accepted === null || after.accepted < before.accepted) return;
  // Purchases take units (the outbox stream counts them; each has at most `limitPerUser`), and so do orders that take
  // theirs again, such as those of late money, whose units Redis counts.
  const taken = (after.accepted - before.accepted) * limitPerUser + (after.retaken - before.retaken);
  const deducted = held + sold;
  const released = taken - (deducted - (before.held + before.sold));
  const counted = count.heldUnits + count.soldUnits;
  if (counted < deducted - taken || counted > deducted + released) {
    findings.add(3, 'records_too_different', { deducted, counted });
  }
}
