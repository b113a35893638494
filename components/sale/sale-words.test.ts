import { describe, expect, it } from 'vitest';
import type { LiveSale } from '@/lib/contract/shapes/sale';
import { markPassed, resultReached } from './announcements';
import { claimedShare } from './claimed-share';
import { countdownPhase } from './countdown-phase';
import { savedPercent } from './saved-percent';
import { sortSales } from './sort-sales';

describe('[A3] announcements', () => {
  it('come at 10 min, 1 min and 10 s, once each', () => {
    expect(markPassed(600_500, 599_500)).toBe('tenMinutes');
    expect(markPassed(60_001, 60_000)).toBe('oneMinute');
    expect(markPassed(10_400, 9400)).toBe('tenSeconds');
    expect(markPassed(59_000, 58_000)).toBeNull();
  });
  it('skip what was slept through and say nothing after the start', () => {
    expect(markPassed(700_000, 9000)).toBe('tenSeconds');
    expect(markPassed(11_000, -1)).toBeNull();
  });
  it('tell a result when it is reached, not what the page opens with', () => {
    expect(resultReached('waiting', 'pay')).toBe('pay');
    expect(resultReached('sending', 'deciding')).toBe('deciding');
    expect(resultReached('deciding', 'waiting')).toBe('waiting');
    expect(resultReached('deciding', 'soldOut')).toBe('soldOut');
    expect(resultReached('deciding', 'locked')).toBe('notIn');
    expect(resultReached('opening', 'buy')).toBe('buy');
    expect(resultReached('loading', 'soldOut')).toBeNull();
    expect(resultReached('buy', 'buy')).toBeNull();
  });
});

describe('[C5] claimed share', () => {
  it('never rounds to nothing or to everything', () => {
    expect(claimedShare({ total: 100_000, available: 99_999 })).toBe(0.01);
    expect(claimedShare({ total: 100_000, available: 1 })).toBe(0.99);
    expect(claimedShare({ total: 100, available: 37 })).toBe(0.63);
  });
  it('knows the ends and the unlimited', () => {
    expect(claimedShare({ total: 5, available: 5 })).toBe(0);
    expect(claimedShare({ total: 5, available: 0 })).toBe(1);
    expect(claimedShare({ total: -1, available: -1 })).toBeNull();
  });
});

describe('[A1] the saving', () => {
  it.each([
    [40, 10_000, 99],
    [1, 100_000, 99],
    [71, 100, 29],
    [9_900, 10_000, 1],
    [9_960, 10_000, null],
    [10_000, 10_000, null],
    [12_000, 10_000, null],
  ])('at %i instead of %i is %s %%', (price, listPrice, percent) => {
    expect(savedPercent(price, listPrice)).toBe(percent);
  });
});

describe('[A3] phase of the countdown', () => {
  const sale = { startsAt: 1000, endsAt: 5000 };
  const state = (status: 'scheduled' | 'live' | 'ended') =>
    ({ status }) as Parameters<typeof countdownPhase>[0]['state'];
  it('never runs before the server says so', () => {
    expect(countdownPhase({ ...sale, now: 1500, state: state('scheduled') })).toBe('opening');
    expect(countdownPhase({ ...sale, now: 1500, state: null })).toBe('opening');
    expect(countdownPhase({ ...sale, now: 900, state: state('live') })).toBe('running');
  });
  it('counts before the start and stops at the end', () => {
    expect(countdownPhase({ ...sale, now: 500, state: null })).toBe('before');
    expect(countdownPhase({ ...sale, now: null, state: null })).toBe('before');
    expect(countdownPhase({ ...sale, now: 5000, state: state('live') })).toBe('over');
    expect(countdownPhase({ ...sale, now: 2000, state: state('ended') })).toBe('over');
  });
});

describe('[A1] order of the list', () => {
  const entry = (saleId: string, status: LiveSale['status'], startsAt: number, endsAt: number) =>
    ({ saleId, status, startsAt, endsAt }) as LiveSale;
  const sales = [
    entry('old', 'ended', 1, 2),
    entry('later', 'scheduled', 50, 60),
    entry('gone', 'sold_out', 3, 70),
  ];
  const more = [
    entry('soon', 'scheduled', 20, 60),
    entry('now', 'live', 10, 60),
    entry('just now', 'live', 11, 60),
    entry('older', 'ended', 0, 1),
  ];
  const all = [...sales, ...more];
  it('is live with the latest first, then soonest, then sold out, then ended', () => {
    const live = new Map(all.map((sale) => [sale.saleId, sale]));
    expect(sortSales(all, live).map(({ saleId }) => saleId)).toEqual([
      'just now',
      'now',
      'soon',
      'later',
      'gone',
      'old',
      'older',
    ]);
  });
  it('is left alone while nothing live is known', () => {
    expect(sortSales(all, new Map())).toEqual(all);
  });
});
