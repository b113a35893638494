import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ClockEstimate,
  errorAt,
  estimateFrom,
  isFromCache,
  refine,
  resyncDelayMs,
} from './server-clock';

const TRUE_OFFSET = 1_790_000_000_000;

/** Makes a round trip whose two ways take different times; the server reads its clock in between. */
const trip = (sentAt: number, outMs: number, backMs: number) => ({
  sentAt,
  receivedAt: sentAt + outMs + backMs,
  serverTime: Math.floor(sentAt + outMs + TRUE_OFFSET),
});

describe('[A3] server clock', () => {
  it('is right within its own error bound, however lopsided the round trip', () => {
    const latency = fc.double({ min: 0, max: 3000, noNaN: true });
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e7, noNaN: true }), latency, latency, (sentAt, out, back) => {
        const estimate = estimateFrom(trip(sentAt, out, back));
        expect(Math.abs(estimate.offsetMs - TRUE_OFFSET)).toBeLessThanOrEqual(estimate.errorMs + 1e-3);
      }),
    );
  });

  it('is right within its bound after any series of round trips', () => {
    const step = fc.record({
      waitMs: fc.double({ min: 0, max: 60_000, noNaN: true }),
      out: fc.double({ min: 0, max: 2000, noNaN: true }),
      back: fc.double({ min: 0, max: 2000, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
        let now = 0;
        let known: ClockEstimate | null = null;
        for (const { waitMs, out, back } of steps) {
          now += waitMs;
          const sample = trip(now, out, back);
          now = sample.receivedAt;
          known = refine(known, estimateFrom(sample));
          expect(Math.abs(known.offsetMs - TRUE_OFFSET)).toBeLessThanOrEqual(errorAt(known, now) + 1e-3);
        }
      }),
    );
  });

  it('keeps the best of several round trips: one slow answer does not spoil a fast one', () => {
    const fast = estimateFrom(trip(1000, 10, 10));
    const slow = estimateFrom(trip(1200, 10, 900));
    expect(refine(fast, slow)).toBe(fast);
    expect(refine(slow, estimateFrom(trip(2500, 12, 8))).errorMs).toBeLessThan(15);
  });

  it('replaces an old estimate once drift has made it worse than a new one', () => {
    const old = estimateFrom(trip(0, 5, 5));
    const later = estimateFrom(trip(1_000_000, 40, 40));
    expect(errorAt(old, 1_000_080)).toBeGreaterThan(later.errorMs);
    expect(refine(old, later)).toBe(later);
  });

  it('believes the newer measurement when the two contradict each other (the device slept)', () => {
    const before = estimateFrom(trip(1000, 5, 5));
    const after = { ...estimateFrom(trip(2000, 100, 100)), offsetMs: TRUE_OFFSET + 3_600_000 };
    expect(refine(before, after)).toBe(after);
  });

  it('knows an answer that a cache kept', () => {
    expect(isFromCache(new Headers({ age: '1' }))).toBe(true);
    expect(isFromCache(new Headers({ age: '0' }))).toBe(false);
    expect(isFromCache(new Headers())).toBe(false);
  });

  it('measures every 30 s far from the start and every 5 s in the last minute, out of step', () => {
    expect(resyncDelayMs(3_600_000, 0.999)).toBeLessThanOrEqual(30_000);
    expect(resyncDelayMs(59_000, 0.999)).toBeLessThanOrEqual(5000);
    expect(resyncDelayMs(59_000, 0)).not.toBe(resyncDelayMs(59_000, 0.5));
  });
});
