import { loadUserId } from '@/lib/load-test/create-load-users';
import { dealUnits } from '@/lib/slice/numbers/deal-units';
import { sliceOf } from '@/lib/slice/numbers/slice-of';

type Crowd = {
  slices: number;
  units: number;
  /** All of them ask at the same moment. */
  buyers: number;
  /** Processor time of a purchase in a slice, which has a processor of its own. */
  serviceUs: number;
  /** How long a purchase waits that moves units first. The others of its slice go on meanwhile: they are refused. */
  moveMs: number;
};

/**
 * Simulates a rush on a split sale: each slice decides one buyer after the other; one that has sold all its units gets half
 * of what the richest still has. Ends with the last unit.
 * @returns units sold per second, and how often units were moved
 */
export function simulateSlices({ slices, units, buyers, serviceUs, moveMs }: Crowd): {
  perSecond: number;
  moves: number;
} {
  const left = dealUnits(units, slices);
  const waiting = new Array<number>(slices).fill(0);
  for (let n = 1; n <= buyers; n += 1) {
    const slice = sliceOf(loadUserId(n), slices);
    waiting[slice] = (waiting[slice] ?? 0) + 1;
  }
  /** When each slice is free again, µs. */
  const freeAt = new Array<number>(slices).fill(0);
  let moves = 0;
  let lastAt = 0;
  for (let sold = 0; sold < units; ) {
    let next = -1;
    for (let slice = 0; slice < slices; slice += 1)
      if ((waiting[slice] ?? 0) > 0 && (next < 0 || (freeAt[slice] ?? 0) < (freeAt[next] ?? 0))) next = slice;
    if (next < 0) break;
    if (left[next] === 0) {
      const richest = left.indexOf(Math.max(...left));
      const moved = Math.ceil((left[richest] ?? 0) / 2);
      left[richest] = (left[richest] ?? 0) - moved;
      left[next] = moved;
      freeAt[next] = (freeAt[next] ?? 0) + moveMs * 1_000;
      moves += 1;
    }
    freeAt[next] = (freeAt[next] ?? 0) + serviceUs;
    waiting[next] = (waiting[next] ?? 0) - 1;
    left[next] = (left[next] ?? 0) - 1;
    sold += 1;
    lastAt = Math.max(lastAt, freeAt[next] ?? 0);
  }
  return { perSecond: (1_000_000 * units) / lastAt, moves };
}
