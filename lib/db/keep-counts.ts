import 'server-only';

/** Counting takes at most this share of the time. */
const MAX_DUTY = 0.2;
const MAX_KEYS = 100;

type Kept<T> = { counts: T; at: number; tookMs: number; refreshing?: Promise<void> };

/**
 * Makes a function that counts what may take long to count. Of little it returns what is there now; of much, the latest
 * counts at once, and renews them meanwhile, the less often the longer that takes: a live page asks each second,
 * whatever the size.
 * @param none what is returned of something large of which there is no count yet
 * @param isLarge whether counting so much takes long
 * @returns `(key, count)`; throws what `count` throws, where there are no earlier counts
 */
export function keepCounts<T>(
  none: T,
  isLarge: (counts: T) => boolean,
): (key: string, count: () => Promise<T>) => Promise<T> {
  const kept = new Map<string, Kept<T>>();
  return async (key, count) => {
    const known = kept.get(key) ?? { counts: none, at: Number.NEGATIVE_INFINITY, tookMs: 0 };
    const takesLong = isLarge(known.counts);
    const isDue = !takesLong || performance.now() - known.at > known.tookMs / MAX_DUTY;
    if (isDue && !known.refreshing) {
      if (kept.size >= MAX_KEYS) kept.clear();
      kept.set(key, known);
      known.refreshing = refresh(known, count).finally(() => {
        known.refreshing = undefined;
      });
      // Whoever waits gets the error; the others keep the earlier counts.
      known.refreshing.catch(() => {});
    }
    if (!takesLong) await known.refreshing;
    return known.counts;
  };
}

async function refresh<T>(known: Kept<T>, count: () => Promise<T>): Promise<void> {
  const from = performance.now();
  known.counts = await count();
  known.at = performance.now();
  known.tookMs = known.at - from;
}
