/** What of a second is drawn: counters since the sale began, and how the outbox stood. As the server sends it. */
export interface LivePoint {
  /** Epoch ms. */
  at: number;
  accepted: number;
  replayed: number;
  soldOut: number;
  rateLimited: number;
  rejected: number;
  written: number;
  outbox: number;
  relayLagMs: number;
}

export type Counter = Exclude<keyof LivePoint, 'at' | 'outbox' | 'relayLagMs'>;

/** Fifteen minutes of seconds; the server keeps no more. */
const MAX_POINTS = 900;
/** Web processes report once a second, each at its own moment: over less than this a rate would flicker. */
const RATE_OVER_MS = 3000;
/** Where there is nothing for longer than this nobody looked, and nobody knows. */
const GAP_MS = 5000;

/** The points so far and those that came, in order, each once, at most fifteen minutes of them. */
export function mergePoints(known: readonly LivePoint[], came: readonly LivePoint[]): LivePoint[] {
  const last = known.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
  const isNew = came.every(({ at }, i) => at > (came[i - 1]?.at ?? last));
  // Nearly always: one more than before.
  if (isNew) return [...known, ...came].slice(-MAX_POINTS);
  const all = new Map([...known, ...came].map((point) => [point.at, point]));
  return [...all.values()].sort((a, b) => a.at - b.at).slice(-MAX_POINTS);
}

/**
 * How fast a counter grew until each point, per second, over about 3 s. Null where that is unknown: at the first point,
 * after a gap, and where the counter began anew (the store of counts was lost).
 */
export function ratesOf(points: readonly LivePoint[], counter: Counter): (number | null)[] {
  let from = 0;
  return points.map((point, i) => {
    const before = points[i - 1];
    if (!before || point.at - before.at > GAP_MS || point[counter] < before[counter]) from = i;
    while (from < i - 1 && point.at - (points[from]?.at ?? 0) > RATE_OVER_MS) from += 1;
    const base = points[from];
    if (!base || base === point) return null;
    return ((point[counter] - base[counter]) * 1000) / (point.at - base.at);
  });
}

/** A figure of each point as it is; null right after a gap, so that no line is drawn across it. */
export function levelsOf(points: readonly LivePoint[], name: keyof LivePoint): (number | null)[] {
  return points.map((point, i) => {
    const before = points[i - 1];
    return before && point.at - before.at > GAP_MS ? null : point[name];
  });
}
