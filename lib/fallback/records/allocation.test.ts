import { describe, expect, it } from 'vitest';
import {
  closeAllocation,
  createAllocation,
  endPurchase,
  raiseAllocation,
  takeAllocated,
  wantedAllocation,
} from './allocation';

const granted = (units: number) => {
  const allocation = createAllocation(1);
  raiseAllocation(allocation, units);
  return allocation;
};

describe('an allocation', () => {
  it('[J4] gives no more than was granted, and what surely was not sold again', async () => {
    const allocation = granted(3);
    expect(await takeAllocated(allocation, 2, 0)).toBe(true);
    expect(await takeAllocated(allocation, 2, 0)).toBe(false);
    expect(await takeAllocated(allocation, 1, 0)).toBe(true);
    expect(allocation).toMatchObject({ taken: 3, underWay: 2 });
    endPurchase(allocation, 1);
    expect(await takeAllocated(allocation, 1, 0)).toBe(true);
    // The units were sold, or the outcome is unknown: they stay counted.
    endPurchase(allocation, 0);
    expect(await takeAllocated(allocation, 1, 0)).toBe(false);
    expect(allocation).toMatchObject({ taken: 3, underWay: 1 });
  });

  it('[J4] who waits is served in the order of asking, by what is granted or comes back', async () => {
    const allocation = granted(1);
    const [first, second, third] = [2, 1, 1].map((units) => takeAllocated(allocation, units, 60_000));
    const order: number[] = [];
    first?.then(() => order.push(1));
    second?.then(() => order.push(2));
    raiseAllocation(allocation, 3);
    expect(await Promise.all([first, second])).toEqual([true, true]);
    expect(order).toEqual([1, 2]);
    endPurchase(allocation, 1);
    expect(await third).toBe(true);
    expect(allocation.taken).toBe(3);
  });

  it('[J4] that is closed turns everybody away, and still takes back', async () => {
    const allocation = granted(1);
    expect(await takeAllocated(allocation, 1, 0)).toBe(true);
    const waiting = takeAllocated(allocation, 1, 60_000);
    closeAllocation(allocation);
    expect(await waiting).toBe(false);
    raiseAllocation(allocation, 10);
    expect(await takeAllocated(allocation, 1, 60_000)).toBe(false);
    endPurchase(allocation, 1);
    expect(allocation).toMatchObject({ taken: 0, underWay: 0 });
  });

  it.each([
    [-1, 1_000],
    [0, 10],
    [400, 20],
    [1_000_000, 1_000],
  ])('[J4] of a sale of %i asks for %i units ahead, when half of them are gone', async (total, ahead) => {
    const allocation = createAllocation(1);
    expect(wantedAllocation(allocation, total)).toBe(ahead);
    raiseAllocation(allocation, ahead);
    expect(wantedAllocation(allocation, total)).toBeNull();
    await takeAllocated(allocation, ahead / 2, 0);
    expect(wantedAllocation(allocation, total)).toBeNull();
    await takeAllocated(allocation, 1, 0);
    expect(wantedAllocation(allocation, total)).toBe(ahead / 2 + 1 + ahead);
    void takeAllocated(allocation, ahead, 60_000);
    expect(wantedAllocation(allocation, total)).toBe(ahead / 2 + 1 + ahead + ahead);
    closeAllocation(allocation);
  });
});
