import { describe, expect, it } from 'vitest';
import type { SaleState } from '@/lib/contract/shapes/sale';
import { gapMs, newsIn, nextLookMs } from './events-news';

const base: SaleState = {
  saleId: 'sale_1',
  status: 'scheduled',
  serverTime: 1_000_000,
  startsAt: 2_000_000,
  endsAt: 3_000_000,
  entryOpensAt: 1_900_000,
  stock: { total: 10, available: 10 },
  paused: false,
  gate: null,
  soldOutAt: null,
};
const live: SaleState = { ...base, status: 'live', serverTime: 2_000_000, gate: 'gate' };

describe('what is news', () => {
  it('[A3] is everything but the time', () => {
    expect(newsIn(base, { ...base, serverTime: 1_000_100 })).toBe('none');
    expect(newsIn(base, live)).toBe('opening');
    expect(newsIn(live, { ...live, status: 'paused', gate: null })).toBe('change');
    expect(newsIn(live, { ...live, status: 'sold_out', stock: { total: 10, available: 0 } })).toBe('change');
    expect(newsIn(base, { ...base, startsAt: 2_000_001 })).toBe('change');
    expect(newsIn(base, { ...base, endsAt: 3_000_001 })).toBe('change');
    expect(newsIn(base, { ...base, entryOpensAt: 1 })).toBe('change');
    expect(newsIn(live, { ...live, stock: { total: 20, available: 10 } })).toBe('change');
    expect(newsIn(live, { ...live, stock: { total: 10, available: 9 } })).toBe('stock');
  });

  it('[A3] the opening never waits, stock at least a second, and both longer for a crowd', () => {
    expect([1, 10_000].map((readers) => gapMs('opening', readers))).toEqual([0, 0]);
    expect([1, 10_000].map((readers) => gapMs('stock', readers))).toEqual([1_000, 2_000]);
    expect(gapMs('change', 1)).toBeLessThan(110);
    expect(gapMs('change', 10_000)).toBe(600);
    expect(gapMs('none', 1)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('when a sale is looked at again', () => {
  it('[A3] exactly at the start and the end, never before', () => {
    expect(nextLookMs({ ...base, serverTime: base.startsAt - 40 }, 1)).toBe(40);
    expect(nextLookMs({ ...base, serverTime: base.startsAt - 40 }, 5_000)).toBe(40);
    expect(nextLookMs({ ...live, serverTime: live.endsAt - 7 }, 1)).toBe(7);
  });

  it('[A3 B3] ten times a second while it runs, twice while nothing happens, less often among many', () => {
    expect(nextLookMs(live, 1)).toBe(100);
    expect(nextLookMs({ ...base, serverTime: base.startsAt - 1_500 }, 1)).toBe(100);
    expect(nextLookMs(base, 1)).toBe(500);
    expect(nextLookMs({ ...live, status: 'ended', serverTime: live.endsAt }, 1)).toBe(500);
    expect(nextLookMs(live, 2_000)).toBe(2_000);
  });
});

describe('[M1] the line of a waiting room', () => {
  const line = {
    seedHash: '',
    shuffledWith: null,
    joined: 3,
    early: null,
    admitted: 0,
    lapsed: 0,
    pace: null,
    reach: 5,
    held: false,
    closed: false,
    isAway: false,
  };
  const news = (change: object) => newsIn({ ...live, line }, { ...live, line: { ...line, ...change } });

  it('is told soon when it is shuffled, held or stands still, and else with the stock', () => {
    for (const change of [{ early: 3 }, { held: true }, { closed: true }, { isAway: true }])
      expect(news(change)).toBe('change');
    for (const change of [{ joined: 4 }, { admitted: 1 }, { lapsed: 1 }]) expect(news(change)).toBe('stock');
    expect(news({ pace: { least: 1, most: 2 } })).toBe('none');
  });
});
