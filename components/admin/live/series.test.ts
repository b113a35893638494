import { describe, expect, it } from 'vitest';
import type { LivePoint } from '@/lib/contract/shapes/live';
import { levelsOf, mergePoints, ratesOf, thin } from './series';

const point = (at: number, accepted = 0): LivePoint => ({
  at,
  accepted,
  replayed: 0,
  soldOut: 0,
  rateLimited: 0,
  rejected: 0,
  written: accepted,
  outbox: 0,
  relayLagMs: 0,
});
const every = (ms: number, counts: number[]) => counts.map((count, i) => point(1_000_000 + i * ms, count));

describe('rates', () => {
  it('[J5] are per second, over the last three seconds', () => {
    expect(ratesOf(every(1000, [0, 10, 20, 30, 30, 30, 30]), 'accepted')).toEqual([
      null,
      10,
      10,
      10,
      20 / 3,
      10 / 3,
      0,
    ]);
  });

  it('[J5] take uneven seconds for what they are', () => {
    const points = [point(0, 0), point(500, 10), point(2500, 20)];
    expect(ratesOf(points, 'accepted')).toEqual([null, 20, 8]);
  });

  it('[J5] are unknown where a counter began anew, and right after it', () => {
    expect(ratesOf(every(1000, [100, 110, 3, 13, 23]), 'accepted')).toEqual([null, 10, null, 10, 10]);
  });

  it('[J5] are unknown after a gap, not spread over it', () => {
    const points = [point(0, 0), point(1000, 10), point(61_000, 6010), point(62_000, 6020)];
    expect(ratesOf(points, 'accepted')).toEqual([null, 10, null, 10]);
  });

  it('[J5] of nothing are nothing', () => {
    expect(ratesOf([], 'accepted')).toEqual([]);
    expect(ratesOf([point(5, 7)], 'accepted')).toEqual([null]);
  });
});

describe('levels', () => {
  it('[J5] are as they are, with a hole after a gap', () => {
    expect(levelsOf([point(0, 1), point(1000, 2), point(9000, 3), point(10_000, 4)], 'written')).toEqual([
      1,
      2,
      null,
      4,
    ]);
  });
});

describe('points that come', () => {
  it('[J5] are put in order, each once, however often and late they come', () => {
    const [a, b, c, d] = every(1000, [1, 2, 3, 4]) as [LivePoint, LivePoint, LivePoint, LivePoint];
    expect(mergePoints([a, b], [c])).toEqual([a, b, c]);
    expect(mergePoints([a, c], [b, c, d])).toEqual([a, b, c, d]);
    expect(mergePoints([], [d, a, a])).toEqual([a, d]);
    expect(mergePoints([a], [])).toEqual([a]);
  });

  it('[J5] are kept for fifteen minutes', () => {
    const points = every(
      1000,
      Array.from({ length: 2000 }, (_, i) => i),
    );
    expect(mergePoints(points.slice(0, 1500), points.slice(1500))).toEqual(points.slice(-900));
  });
});

describe('what is drawn of many points', () => {
  const times = Array.from({ length: 900 }, (_, i) => 5_000_000 + i * 1000);

  it('[J5] is no more than can be seen, and loses no peak', () => {
    const values = times.map((_, i) => (i === 400 ? 99 : 1));
    const drawn = thin(times, [values], 300);
    expect(drawn.times.length).toBeLessThanOrEqual(301);
    expect(drawn.times.at(-1)).toBe(times.at(-1));
    expect(drawn.lines[0]?.filter((value) => value === 99)).toHaveLength(1);
    expect(drawn.lines[0]).toHaveLength(drawn.times.length);
  });

  it('[J5] stays where it is while points come', () => {
    const values = times.map((_, i) => i % 17);
    const before = thin(times.slice(0, 890), [values.slice(0, 890)], 300);
    const after = thin(times.slice(1, 891), [values.slice(1, 891)], 300);
    const shown = new Map(before.times.map((at, i) => [at, before.lines[0]?.[i]]));
    const same = after.times.filter((at, i) => shown.get(at) === after.lines[0]?.[i]);
    // All but the first and the last point, whose spans are still being filled.
    expect(same.length).toBeGreaterThan(after.times.length - 3);
  });

  it('[J5] of few points is all of them, and a hole stays a hole', () => {
    expect(thin([1, 2, 3], [[1, null, 2]], 300)).toEqual({ times: [1, 2, 3], lines: [[1, null, 2]] });
    const hole = times.map((_, i) => (i === 400 ? null : 1));
    expect(thin(times, [hole], 300).lines[0]?.filter((value) => value === null)).toHaveLength(1);
  });
});
