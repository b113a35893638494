import { LRUCache } from 'lru-cache';
import { nowMs } from '@/lib/clock';
import { processWide } from '@/lib/process-wide';
import type { Sample } from './sample';

/** Split sales whose moves are counted, and how long after the last one, ms. */
const MAX_SALES = 20;
const KEEP_MS = 3_600_000;

type Counts = {
  /** By slice: the units that this process moved there, and when it last did, epoch ms. */
  moved: Map<number, { units: number; at: number }>;
  /** Buyers' searches that could neither move units nor tell that there are none. */
  failed: number;
};

const held = processWide(
  'slices-moved',
  () => new LRUCache<string, Counts>({ max: MAX_SALES, ttl: KEEP_MS }),
);

/** Counts units that came to a slice from others, in memory only. */
export function countMoved(saleId: string, slice: number, units: number): void {
  const { moved } = renew(saleId);
  moved.set(slice, { units: (moved.get(slice)?.units ?? 0) + units, at: nowMs() });
}

/** Counts a buyer's search for units that has to be repeated, in memory only. */
export function countFailedSearch(saleId: string): void {
  renew(saleId).failed += 1;
}

function renew(saleId: string): Counts {
  const counts = held.get(saleId) ?? { moved: new Map(), failed: 0 };
  held.set(saleId, counts);
  return counts;
}

/** Returns how many searches failed since this process started, by sale. */
export const readFailedSearches = (): Record<string, number> =>
  Object.fromEntries([...held].map(([saleId, { failed }]) => [saleId, failed]));

/** Returns the counts as samples. A process that sells no split sale reports nothing. */
export const sliceSamples = (): Sample[] =>
  [...held].flatMap(([sale, { moved, failed }]): Sample[] => [
    { name: 'seckill_slice_searches_failed_total', labels: { sale }, value: failed },
    ...[...moved].flatMap(([slice, { units, at }]): Sample[] => {
      const labels = { sale, slice: String(slice) };
      return [
        { name: 'seckill_slice_units_moved_total', labels, value: units },
        { name: 'seckill_slice_last_move_seconds', labels, value: at / 1_000 },
      ];
    }),
  ]);
