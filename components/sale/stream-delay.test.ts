import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { streamDelayMs } from './stream-delay';

const random = fc.double({ min: 0, max: 0.999, noNaN: true });

describe('[A3] when a page opens its stream', () => {
  it('between 60 and 15 s before the start when it waits for it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 60_001, max: 1e9 }), random, (toStartMs, r) => {
        const leftMs = toStartMs - streamDelayMs(toStartMs, r);
        expect(leftMs).toBeLessThanOrEqual(60_000);
        expect(leftMs).toBeGreaterThanOrEqual(15_000);
      }),
    );
  });

  it('well before the start when there is still time, soon when there is none', () => {
    expect(streamDelayMs(40_000, 0.999)).toBeLessThanOrEqual(27_000);
    expect(streamDelayMs(10_000, 0.999)).toBeLessThanOrEqual(2000);
    expect(streamDelayMs(-600_000, 0.5)).toBe(1000);
  });

  it('spread, not all at once', () => {
    for (const toStartMs of [3_600_000, 50_000, 5000, -5000]) {
      expect(streamDelayMs(toStartMs, 0.9) - streamDelayMs(toStartMs, 0.1)).toBeGreaterThan(1000);
    }
  });
});
