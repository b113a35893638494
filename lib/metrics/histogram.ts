/** Upper bounds in ms. Longer durations count in a last bucket without a bound. */
const BOUNDS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 60_000];

/**
 * Durations by bucket: `counts[i]` took at most `boundsMs[i]` and longer than the bound before; the last holds the
 * rest.
 */
export type Durations = { counts: number[]; sumMs: number };

export const emptyDurations = (): Durations => ({
  counts: new Array(BOUNDS_MS.length + 1).fill(0),
  sumMs: 0,
});

/** Counts a duration: two additions and a short search in memory, because every purchase passes here. */
export function observe(durations: Durations, ms: number): void {
  let at = 0;
  while (at < BOUNDS_MS.length && ms > (BOUNDS_MS[at] as number)) at += 1;
  (durations.counts[at] as number) += 1;
  durations.sumMs += ms;
}

export const countOf = ({ counts }: Durations): number => counts.reduce((sum, count) => sum + count, 0);

/** Returns the buckets with their bounds, in the form of the locks' histograms. */
export const bucketsOf = ({ counts }: Durations): { upToMs: number; count: number }[] =>
  counts.map((count, at) => ({ upToMs: BOUNDS_MS[at] ?? Number.POSITIVE_INFINITY, count }));
