import { describe, expect, it } from 'vitest';
import { METRICS } from './catalog';
import { countWritten, readDelays } from './delay-meter';
import { formatMetrics } from './format-metrics';
import { countOf } from './histogram';
import { ABORTED, countRequest, readRequests, totalRequests } from './http-meter';
import { processSamples, readTotals, type Totals } from './process-figures';
import { createRecentTotals, RECENT_MS } from './recent-totals';
import { histogramSamples } from './sample';

describe('format', () => {
  it('[J2] names every metric of the catalogue once, with or without samples', () => {
    const text = formatMetrics([{ name: 'seckill_store_up', labels: { store: 'redis' }, value: 1 }]);
    for (const [name, { type }] of Object.entries(METRICS)) {
      expect(text.split('\n').filter((line) => line === `# TYPE ${name} ${type}`)).toHaveLength(1);
    }
    expect(text).toContain('\nseckill_store_up{store="redis"} 1\n');
  });

  it('[J2] keeps a label with quotes, backslashes and line ends on its line', () => {
    const text = formatMetrics([
      { name: 'seckill_dead_letters', labels: { consumer: 'a"b\\c\nd' }, value: 2 },
    ]);
    expect(text).toContain('seckill_dead_letters{consumer="a\\"b\\\\c\\nd"} 2');
  });

  it('[J2] histograms are cumulative, in seconds, and end with everything', () => {
    const buckets = [
      { upToMs: 1, count: 2 },
      { upToMs: 500, count: 3 },
      { upToMs: Number.POSITIVE_INFINITY, count: 1 },
    ];
    const samples = histogramSamples('seckill_lock_wait_seconds', { kind: 'k' }, { buckets, sumMs: 1_500 });
    expect(samples.map(({ suffix, labels, value }) => `${suffix} ${labels.le} ${value}`)).toEqual([
      '_bucket 0.001 2',
      '_bucket 0.5 5',
      '_bucket +Inf 6',
      '_sum undefined 1.5',
      '_count undefined 6',
    ]);
  });
});

describe('meters', () => {
  it('[J1] count requests by class and status; 5xx are failures, refusals and leavers are not', () => {
    const before = totalRequests();
    for (const status of [202, 409, 429, 503, 500, ABORTED]) countRequest('purchase', status, 3);
    countRequest('events', 200, null);
    countRequest('health', 503, 1);
    const now = totalRequests();
    expect(now.requests - before.requests).toBe(7);
    expect(now.failed - before.failed).toBe(2);
    expect(readRequests().get('purchase')?.statuses.get(409)).toBe(1);
    expect(countOf(readRequests().get('events')?.durations ?? { counts: [], sumMs: 0 })).toBe(0);
  });

  it('[J1] measure from acceptance to the order, never below 0 however the clocks differ', () => {
    countWritten([{ acceptedAt: Date.now() - 3_000 }, { acceptedAt: Date.now() + 60_000 }]);
    expect(countOf(readDelays())).toBe(2);
    expect(readDelays().sumMs).toBeGreaterThanOrEqual(3_000);
    expect(readDelays().counts[0]).toBe(1);
    expect(readTotals().written).toBe(2);
    expect(processSamples()).toContainEqual({ name: 'seckill_orders_written_total', labels: {}, value: 2 });
  });
});

describe('the last minute', () => {
  const totals = (requests: number, longHolds = 0, heldLong = 0): Totals => ({
    requests,
    failed: 0,
    written: 0,
    delayMs: 0,
    unconfirmed: 0,
    failedSearches: {},
    signIns: { wrong: 0, attacked: 0 },
    locks: { cache: { tries: longHolds, waitMs: 0, longHolds, heldLong } },
  });

  it('[J1] is all there was at first, then what came since a minute ago', () => {
    const recent = createRecentTotals();
    expect(recent(totals(10), 0).requests).toBe(10);
    expect(recent(totals(15), 30_000).requests).toBe(15);
    expect(recent(totals(20), RECENT_MS).requests).toBe(10);
    expect(recent(totals(20), 90_000).requests).toBe(5);
    expect(recent(totals(20), 150_000).requests).toBe(0);
  });

  it('[D6] a hold that still goes on counts however long ago it began', () => {
    const recent = createRecentTotals();
    expect(recent(totals(0, 1, 1), 0).locks.cache).toMatchObject({ longHolds: 1, heldLong: 1 });
    recent(totals(0, 1, 1), RECENT_MS);
    expect(recent(totals(0, 1, 1), 2 * RECENT_MS).locks.cache).toMatchObject({ longHolds: 0, heldLong: 1 });
    expect(recent(totals(0, 1, 0), 3 * RECENT_MS).locks.cache).toMatchObject({ longHolds: 0, heldLong: 0 });
  });
});
