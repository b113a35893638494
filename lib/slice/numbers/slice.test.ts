import { describe, expect, it } from 'vitest';
import { slotOf } from '@/lib/redis/slot-of';
import { dealUnits } from './deal-units';
import { sliceOf } from './slice-of';
import { saleOf, sliceNumberOf, stockFor, stocksOf } from './stock-ids';

const SALE = 'sale_01jabcdefgh';
const USERS = Array.from({ length: 20_000 }, (_, n) => `user_${n.toString(36)}`);

describe('slices', () => {
  it('[M10] a buyer belongs to one, all get about as many, and one slice is the sale itself', () => {
    for (const slices of [2, 3, 4, 16]) {
      const counts = new Array<number>(slices).fill(0);
      for (const user of USERS) {
        const slice = sliceOf(user, slices);
        counts[slice] = (counts[slice] ?? 0) + 1;
      }
      const fair = USERS.length / slices;
      for (const count of counts) expect(Math.abs(count - fair)).toBeLessThan(5 * Math.sqrt(fair));
    }
    expect(stockFor(SALE, 'user_1', 1)).toBe(SALE);
    // Fixed for good: another hash would let buyers begin anew in another slice.
    expect(['user_1', 'user_2', 'user_3', 'ada'].map((user) => sliceOf(user, 16))).toEqual([6, 12, 9, 14]);
  });

  it('[M10] lie far apart in the slots of a cluster: as many nodes as slices get one each', () => {
    for (const slices of [2, 3, 4, 8, 16]) {
      const stocks = stocksOf(SALE, slices);
      expect(new Set(stocks).size).toBe(slices);
      expect(stocks.map(saleOf)).toEqual(stocks.map(() => SALE));
      expect(stocks.map(sliceNumberOf)).toEqual(stocks.map((_, slice) => slice));
      const slots = stocks.map((stock) => slotOf(`sale:{${stock}}:outbox`)).sort((a, b) => a - b);
      const gaps = slots.map((slot, at) => ((slots[at + 1] ?? (slots[0] ?? 0) + 16_384) - slot) * slices);
      for (const gap of gaps) expect(Math.abs(gap - 16_384)).toBeLessThanOrEqual(16_384 / 8 + 1);
    }
  });

  it('[M10] get all units between them, none more than one unit more than another', () => {
    expect(dealUnits(10, 4)).toEqual([3, 3, 2, 2]);
    expect(dealUnits(3, 4)).toEqual([1, 1, 1, 0]);
    expect(dealUnits(0, 2)).toEqual([0, 0]);
  });
});
