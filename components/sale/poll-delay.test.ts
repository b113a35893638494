import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PollInput, pollDelayMs } from './poll-delay';

const base: PollInput = {
  status: 'scheduled',
  hasGate: false,
  toStartMs: 3_600_000,
  failures: 0,
  retryAfterMs: null,
  isStreaming: false,
  isDone: false,
  random: 0.5,
};
const at = (change: Partial<PollInput>) => pollDelayMs({ ...base, ...change });
const random = fc.double({ min: 0, max: 0.999, noNaN: true });

describe('[A3] when the state is asked for', () => {
  it('every 10 s while the start is far, every 5 s in the last minute', () => {
    expect(at({ random: 1 })).toBe(10_000);
    expect(at({ toStartMs: 50_000, random: 1 })).toBe(5000);
  });

  it('at the start, within 150 ms, whatever the interval would be', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3700 }), random, (toStartMs, r) => {
        const delayMs = at({ toStartMs, random: r });
        expect(delayMs).toBeGreaterThanOrEqual(toStartMs);
        expect(delayMs).toBeLessThanOrEqual(toStartMs + 150);
      }),
    );
  });

  it('never sleeps past the start', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), random, (toStartMs, r) => {
        expect(at({ toStartMs, random: r })).toBeLessThanOrEqual(toStartMs + 150);
      }),
    );
  });

  it('every 300 to 500 ms from the start until the gate is there', () => {
    for (const status of ['scheduled', 'live'] as const) {
      expect(at({ status, toStartMs: 0, random: 0 })).toBe(300);
      expect(at({ status, toStartMs: -2000, random: 0.999 })).toBeLessThanOrEqual(500);
    }
  });

  it('about every 2 s while the sale runs, out of step', () => {
    const live = { status: 'live', hasGate: true, toStartMs: -1 } as const;
    expect(at({ ...live, random: 0 })).toBe(1500);
    expect(at({ ...live, random: 1 })).toBe(2500);
  });

  it('rarely while a stream brings the changes', () => {
    const live = { status: 'live', hasGate: true, toStartMs: -1 } as const;
    for (const change of [{ toStartMs: 50_000 }, live, { ...live, status: 'sold_out' } as const]) {
      expect(at({ ...change, isStreaming: true })).toBeGreaterThan(20_000);
    }
  });

  it('soon after the start if the stream has not brought the gate, and then as without one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20_000 }), random, (toStartMs, r) => {
        const delayMs = at({ isStreaming: true, toStartMs, random: r });
        expect(delayMs - toStartMs).toBeGreaterThanOrEqual(1000);
        expect(delayMs - toStartMs).toBeLessThanOrEqual(2000);
      }),
    );
    expect(at({ isStreaming: true, toStartMs: -1500 })).toBeLessThanOrEqual(500);
    expect(at({ isStreaming: true, status: 'live', toStartMs: -1500 })).toBeLessThanOrEqual(500);
  });

  it('rarely for somebody who has bought', () => {
    expect(at({ status: 'live', hasGate: true, toStartMs: -1, isDone: true })).toBeGreaterThan(7000);
  });

  it('[A7] backs off when the state is down and honours Retry-After', () => {
    expect(at({ failures: 1, isStreaming: true, random: 0.999 })).toBeLessThanOrEqual(1000);
    expect(at({ failures: 1, random: 0.999 })).toBeLessThanOrEqual(1000);
    expect(at({ failures: 9, random: 0.999 })).toBeGreaterThan(29_000);
    expect(at({ failures: 1, retryAfterMs: 7000 })).toBeGreaterThanOrEqual(7000);
  });
});
