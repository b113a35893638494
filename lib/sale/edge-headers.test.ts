import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { edgeHeaders, keptAtEdgeSec } from './edge-headers';
import { SHORT_LIVED } from './state-cache-control';

const startsAt = 1_000_000_000;
const LONG = SHORT_LIVED['public, max-age=1, stale-if-error=5'];

describe('what a CDN may keep', () => {
  it('[A3 K3] a state is never shown across the start, whichever caches it went through', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -60_000, max: 60_000 }),
        fc.constantFrom('scheduled', 'live', 'paused', 'sold_out', 'ended'),
        // Up to 1.999 s in nginx, and as long at the CDN as it may: it counts in whole seconds.
        fc.integer({ min: 0, max: 1_999 }),
        fc.integer({ min: 0, max: 999 }),
        (toStartMs, status, before, rounded) => {
          const serverTime = startsAt - toStartMs;
          const keptSec = keptAtEdgeSec({ status, serverTime, startsAt });
          if (keptSec === null) return;
          expect(['scheduled', 'ended']).toContain(status);
          if (status === 'scheduled')
            expect(serverTime + before + keptSec * 1_000 + rounded).toBeLessThan(startsAt);
        },
      ),
    );
    expect(keptAtEdgeSec({ status: 'scheduled', serverTime: startsAt - 13_001, startsAt })).toBe(10);
    expect(keptAtEdgeSec({ status: 'scheduled', serverTime: startsAt - 13_000, startsAt })).toBeNull();
  });

  it('[K3] each CDN reads its own headers, and without one nothing is added', () => {
    expect(edgeHeaders(LONG, undefined, 'sale-lamp', 10)).toBe(LONG);
    expect(edgeHeaders(LONG, 'cloudflare', 'sale-lamp', 10)).toEqual({
      ...LONG,
      'cache-tag': 'sale-lamp',
      'cdn-cache-control': 'max-age=10',
    });
    expect(edgeHeaders(LONG, 'fastly', 'sales')).toEqual({ ...LONG, 'surrogate-key': 'sales' });
    expect(edgeHeaders(LONG, 'fastly', 'sale-lamp', 10)).toMatchObject({ 'surrogate-control': 'max-age=10' });
    expect(edgeHeaders(LONG, 'fastly', 'sale-lamp', 10)).toBe(edgeHeaders(LONG, 'fastly', 'sale-lamp', 10));
  });

  it('[A3 K3] what no cache may keep says nothing else to a CDN', () => {
    const never = SHORT_LIVED['no-store'];
    expect(edgeHeaders(never, 'cloudflare', 'sale-lamp', 10)).toBe(never);
  });
});
