import { expect, it, vi } from 'vitest';
import type { SaleState } from '@/lib/contract/shapes/sale';

const findState = vi.hoisted(() => vi.fn());
vi.mock('@/lib/sale/read-state', () => ({ findState }));

import { eventually } from '@/test/support/eventually';
import { startFeed } from './events-feed';

const stateOf = (over: Partial<SaleState>): SaleState => ({
  saleId: 'sale_1',
  status: 'live',
  serverTime: Date.now(),
  startsAt: 0,
  endsAt: Date.now() + 3_600_000,
  entryOpensAt: 0,
  paused: false,
  gate: 'gate',
  stock: { total: 10, available: 9 },
  soldOutAt: null,
  ...over,
});

/** Returns how long after other news a pause was told to a thousand readers. */
async function pauseAfterNews(): Promise<number> {
  const told: [string, number][] = [];
  findState.mockImplementation(async () => ({ status: 'found', state: stateOf({}) }));
  const feed = startFeed({
    state: stateOf({ stock: { total: 10, available: 10 } }),
    countSales: () => 1,
    countReaders: () => 1_000,
    onNews: ({ status }) => told.push([status, performance.now()]),
    onBlind: () => {},
  });
  try {
    feed.lookNow();
    await eventually(() => expect(told).toHaveLength(1), 1);
    findState.mockImplementation(async () => ({ status: 'found', state: stateOf({ status: 'paused' }) }));
    feed.lookNow();
    await eventually(() => expect(told).toHaveLength(2), 1);
    const [[, first] = ['', 0], [status, second] = ['', 0]] = told;
    expect(status).toBe('paused');
    return second - first;
  } finally {
    feed.stop();
  }
}

it('[A3] a pause that comes right after other news is told as soon as it may, not at the next regular look', async () => {
  // The gap between two changes is 150 ms with a thousand readers. Timers are a millisecond early at times, and a busy
  // machine may hear of either change late: of several measurements one is true.
  const isTrue = (ms: number) => ms > 148 && ms < 300;
  const tookMs: number[] = [];
  while (tookMs.length < 30 && !tookMs.some(isTrue)) tookMs.push(await pauseAfterNews());
  expect(tookMs.some(isTrue), String(tookMs)).toBe(true);
});
