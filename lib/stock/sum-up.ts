import { isOutage } from '@/lib/errors/is-outage';

type Tiers = { total: number; available: number };
type Read<T> = readonly (T | null | { outage: unknown })[];

/** Waits for the reads of all slices; an outage is part of the result. @throws any other error */
export const unlessAway = <T>(reads: readonly Promise<T>[]): Promise<(T | { outage: unknown })[]> =>
  Promise.all(
    reads.map((read) =>
      read.catch((outage: unknown) => {
        if (!isOutage(outage)) throw outage;
        return { outage };
      }),
    ),
  );

/**
 * Adds up the slices of a sale that could be read. "None are left" may be said only if all of them say so.
 * @returns null if none is loaded, or one is not and the others have no units left
 * @throws the outage of a slice that could not be read, if the others have no units left
 */
export function sumUp<T extends Tiers>(slices: Read<T>): (Tiers & { read: [T, ...T[]] }) | null {
  const read = slices.filter((slice): slice is T => slice !== null && !('outage' in slice));
  const [first, ...others] = read;
  const sum = (tier: keyof Tiers) => read.reduce((units, slice) => units + slice[tier], 0);
  const available = sum('available');
  if (available === 0 || !first) {
    for (const slice of slices) if (slice && 'outage' in slice) throw slice.outage;
    if (read.length < slices.length) return null;
  }
  return first ? { read: [first, ...others], total: sum('total'), available } : null;
}
