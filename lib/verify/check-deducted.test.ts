import { describe, expect, it } from 'vitest';
import { checkDeducted } from './check-deducted';
import { Findings } from './findings';
import type { RedisAccount } from './read-redis-account';

const LIMIT = 2;
const account = (held: number, sold: number, accepted: number | null, retaken = 0): RedisAccount => ({
  epoch: 1,
  total: 1000,
  available: 1000 - held - sold,
  held,
  sold,
  accepted,
  retaken,
});
const isBroken = (
  before: RedisAccount,
  after: RedisAccount,
  heldUnits: number,
  soldUnits: number,
): boolean => {
  const findings = new Findings();
  checkDeducted(before, after, { purchases: 0, heldUnits, soldUnits }, LIMIT, findings);
  return findings.describe(3) !== null;
};

describe('the buyer records against the tiers', () => {
  it('[C6] must be exact while nothing moves', () => {
    const still = account(10, 5, 15);
    expect(isBroken(still, still, 10, 5)).toBe(false);
    expect(isBroken(still, still, 9, 6)).toBe(true);
    expect(isBroken(still, still, 10, 4)).toBe(true);
  });

  it('[C6] may miss at most what was purchased, and hold at most what was released, while it moves', () => {
    // 4 purchases of at most 2 units, 3 units more deducted: at most 5 released.
    const [before, after] = [account(10, 5, 15), account(12, 6, 19)];
    expect(isBroken(before, after, 12, 6)).toBe(false);
    expect(isBroken(before, after, 10, 0)).toBe(false);
    expect(isBroken(before, after, 9, 0)).toBe(true);
    expect(isBroken(before, after, 20, 3)).toBe(false);
    expect(isBroken(before, after, 20, 4)).toBe(true);
  });

  it('[C6 C8 D5] may also miss what late money took again meanwhile: no purchase, and no phantom', () => {
    const before = account(10, 5, 15);
    const retaken = account(10, 6, 15, 1);
    expect(isBroken(before, retaken, 10, 5)).toBe(false);
    expect(isBroken(before, retaken, 10, 6)).toBe(false);
    expect(isBroken(before, retaken, 10, 4)).toBe(true);
    expect(isBroken(before, retaken, 11, 6)).toBe(true);
    // One was given back and one taken again: the tiers are as before, but the count may have met either.
    const both = account(10, 5, 15, 1);
    expect(isBroken(before, both, 9, 5)).toBe(false);
    expect(isBroken(before, both, 11, 5)).toBe(false);
    expect(isBroken(before, both, 12, 5)).toBe(true);
  });

  it('[C6 J4] is not judged across a new loading of Redis', () => {
    expect(isBroken(account(10, 5, 15, 3), { ...account(12, 5, 17), epoch: 2 }, 3, 1)).toBe(false);
  });

  it('[C6] is not judged while it moves on a Redis that cannot count', () => {
    expect(isBroken(account(10, 5, null), account(12, 6, null), 0, 0)).toBe(false);
    expect(isBroken(account(10, 5, null), account(10, 5, null), 0, 0)).toBe(true);
  });
});
