import type { LivePoint } from '@/lib/contract/shapes/live';

type Counter = Exclude<keyof LivePoint, 'at' | 'outbox' | 'relayLagMs'>;

/** Fifteen minutes at one point a second. The server keeps no more. */
const MAX_POINTS = 900;
/** Web processes report once a second, each at its own moment. A rate over a shorter time would flicker. */
const RATE_OVER_MS = 3000;
/** After a pause longer than this we don't know what happened: nobody was looking. */
const GAP_MS = 5000;

/** Merges new points into the known ones: in order, each once, at most fifteen minutes of them. */
export function mergePoints(known: readonly LivePoint[], came: readonly LivePoint[]): LivePoint[] {
  const last = known.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
  const isNew = came.every(({ at }, i) => at > (came[i - 1]?.at ?? last));
  // The usual case: one new point.
  if (isNew) return [...known, ...came].slice(-MAX_POINTS);
  const all = new Map([...known, ...came].map((point) => [point.at, point]));
  return [...all.values()].sort((a, b) => a.at - b.at).slice(-MAX_POINTS);
}

/**
 * Returns how fast a counter grew until each point, per second, over about 3 s. Null where that is unknown: at the
 * first point, after a gap, and where the counter restarted because the store of counts was lost.
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

/** Returns a figure of each point. Null right after a gap, so that no line is drawn across it. */
export function levelsOf(points: readonly LivePoint[], name: keyof LivePoint): (number | null)[] {
  return points.map((point, i) => {
    const before = points[i - 1];
    return before && point.at - before.at > GAP_MS ? null : point[name];
  });
}

/**
 * Reduces many points to those that are drawn. Neighbours become one point, the highest, so that no peak is lost. The
 * clock decides which points are neighbours; otherwise the line would flicker as points come and go.
 * @param times epoch ms, rising
 * @param most about how many are left
 */
export function thin(
  times: readonly number[],
  lines: readonly (readonly (number | null)[])[],
  most: number,
): { times: number[]; lines: (number | null)[][] } {
  const bucketMs = 1000 * Math.ceil(((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000 / most);
  if (times.length <= most) return { times: [...times], lines: lines.map((line) => [...line]) };
  const starts = times.flatMap((at, i) =>
    i === 0 || Math.floor(at / bucketMs) !== Math.floor((times[i - 1] ?? 0) / bucketMs) ? [i] : [],
  );
  const ranges = starts.map((start, n) => [start, starts[n + 1] ?? times.length] as const);
  return {
    times: ranges.map(([, end]) => times[end - 1] ?? 0),
    lines: lines.map((line) => ranges.map(([start, end]) => peakOf(line.slice(start, end)))),
  };
}

/** A hole among neighbours stays a hole. */
const peakOf = (values: readonly (number | null)[]) => (values.includes(null) ? null : highest(values));

/** Returns the highest known value; null if none is known. */
export const highest = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>(
    (high, value) => (value !== null && (high === null || value > high) ? value : high),
    null,
  );
