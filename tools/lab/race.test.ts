import { describe, expect, it } from 'vitest';
import { isSound, shows } from './contest';
import { measure } from './race';
import type { Report } from './run-buyers';
import { shuffle } from './shuffle';

const report = (overrides: Partial<Report> = {}): Report => ({
  answers: { accepted: 5, sold_out: 5, busy: 0 },
  latenciesMs: [1, 2, 3],
  lowestStock: 0,
  startedAt: 1_000,
  endedAt: 1_100,
  ...overrides,
});
const course = { buyers: 20, units: 10, concurrency: 4, seed: 1 };

describe('measuring a race', () => {
  it('[C4] adds the processes up, from the first start to the last answer', () => {
    const other = report({ startedAt: 1_050, endedAt: 1_200, latenciesMs: [9] });
    const round = measure([report(), other], { stock: 0, orders: 10 }, course);
    expect(round).toMatchObject({ accepted: 10, soldOut: 10, durationMs: 200, p50Ms: 2, p99Ms: 9 });
    expect(round).toMatchObject({ oversold: 0, unsold: 0, drift: 0, lowestStock: 0 });
    expect(isSound(round, 10)).toBe(true);
  });

  it('[C4] tells selling too much, a wrong counter, a dip and empty hands apart', () => {
    const of = (stock: number, orders: number, lowestStock: number | null = null) =>
      measure([report({ lowestStock })], { stock, orders }, course);
    expect(of(-2, 12)).toMatchObject({ oversold: 2, drift: 0, lowestStock: -2 });
    expect(of(0, 12)).toMatchObject({ oversold: 2, drift: -2, lowestStock: 0 });
    expect(of(-10, 10)).toMatchObject({ oversold: 0, drift: 10, lowestStock: -10 });
    expect(of(0, 10, -3)).toMatchObject({ oversold: 0, drift: 0, lowestStock: -3 });
    expect(of(4, 6)).toMatchObject({ oversold: 0, unsold: 4, drift: 0 });
    for (const round of [of(-2, 12), of(0, 12), of(-10, 10), of(0, 10, -3), of(4, 6)]) {
      expect(isSound(round, 10)).toBe(false);
    }
    expect([shows('oversells', of(0, 12)), shows('oversells', of(0, 10, -3))]).toEqual([true, false]);
    expect([shows('drifts', of(0, 10, -3)), shows('drifts', of(0, 10))]).toEqual([true, false]);
    expect(shows('undersells', of(4, 6))).toBe(false);
    expect(shows('undersells', { ...of(4, 6), busy: 3 })).toBe(true);
  });

  it('[C4] sends the same buyers in the same order for the same seed', () => {
    const buyers = Array.from({ length: 500 }, (_, i) => i);
    expect(shuffle(buyers, 1)).toEqual(shuffle(buyers, 1));
    expect(shuffle(buyers, 1)).not.toEqual(shuffle(buyers, 2));
    expect(shuffle(buyers, 1).sort((a, b) => a - b)).toEqual(buyers);
  });
});
