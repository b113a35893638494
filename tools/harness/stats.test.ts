import { describe, expect, it } from 'vitest';
import { median, percentile, ratioOfMedians, spread } from './stats';

describe('the maths of the bench', () => {
  it('[E10] takes the middle round, or the mean of the two middle ones', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 2, 100])).toBe(3);
    expect(median([7])).toBe(7);
    expect(() => median([])).toThrow(RangeError);
  });

  it('[E10] takes percentiles by nearest rank, of unsorted and of few values', () => {
    const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
    expect(percentile(hundred, 50)).toBe(50);
    expect(percentile(hundred, 99)).toBe(99);
    expect(percentile(hundred, 99.1)).toBe(100);
    expect(percentile(hundred, 100)).toBe(100);
    expect(percentile([3, 200, 1], 99)).toBe(200);
    expect(percentile([3, 200, 1], 1)).toBe(1);
  });

  it('[E10] refuses percentages that are none and percentiles of nothing', () => {
    for (const percent of [0, -1, 100.5, Number.NaN])
      expect(() => percentile([1], percent)).toThrow(RangeError);
    expect(() => percentile([], 50)).toThrow(RangeError);
  });

  it('[E10] compares medians, so that one bad round does not decide', () => {
    expect(ratioOfMedians([80, 81, 2], [100, 100, 5_000])).toBe(0.8);
    expect(() => ratioOfMedians([1], [0])).toThrow(RangeError);
    expect(spread([90, 100, 120])).toBeCloseTo(0.3);
  });
});
