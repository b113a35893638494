import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffMs, FOLLOW, followMs, RETRY } from './backoff';
import { parseRetryAfter } from './retry-after';

const random = fc.double({ min: 0, max: 0.999_999, noNaN: true });

describe('[A7] waiting after failures', () => {
  it('doubles from 1 s to 30 s', () => {
    const longest = [1, 2, 3, 4, 5, 6, 7, 2000].map((failures) => backoffMs(RETRY, failures, null, 1));
    expect(longest).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('is spread over the whole span', () => {
    expect(backoffMs(RETRY, 4, null, 0)).toBeLessThan(1000);
    expect(backoffMs(RETRY, 4, null, 0.5)).toBeGreaterThan(3000);
  });

  it('is never shorter than the server asked for', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 0, max: 120_000 }),
        random,
        (failures, asked, r) => {
          expect(backoffMs(RETRY, failures, asked, r)).toBeGreaterThanOrEqual(asked);
        },
      ),
    );
  });

  it('does not bring everybody back in the same instant', () => {
    expect(backoffMs(RETRY, 1, 8000, 0.9)).not.toBe(backoffMs(RETRY, 1, 8000, 0.1));
  });
});

describe('[E1] following an order', () => {
  it('asks after 200 ms, then doubles to 2 s', () => {
    expect([1, 2, 3, 4, 5, 9].map((asked) => followMs(FOLLOW, asked, 1))).toEqual([
      200, 400, 800, 1600, 2000, 2000,
    ]);
    expect(followMs(FOLLOW, 1, 0)).toBe(160);
  });
});

describe('[A7] Retry-After', () => {
  const now = Date.parse('2026-11-20T10:00:00Z');
  it('reads seconds and dates', () => {
    expect(parseRetryAfter('8', now)).toBe(8000);
    expect(parseRetryAfter('Fri, 20 Nov 2026 10:00:05 GMT', now)).toBe(5000);
  });
  it('takes nonsense for nothing, the past for now, and waits a day at most', () => {
    expect(parseRetryAfter(null, now)).toBeNull();
    expect(parseRetryAfter('soon', now)).toBeNull();
    expect(parseRetryAfter('-4', now)).toBe(0);
    expect(parseRetryAfter('99999999', now)).toBe(86_400_000);
  });
});
