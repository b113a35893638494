import type { LivePoint } from '@/lib/contract/shapes/live';

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

/**
 * What is drawn of many points: neighbours become one, the highest, so that no peak is lost. Which are neighbours goes by
 * the clock, or the line would flicker as points come and go.
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

/** A hole among neighbours stays one. */
const peakOf = (values: readonly (number | null)[]) => (values.includes(null) ? null : highest(values));

/** The highest of those that are known; null: none is. */
export const highest = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>(
    (high, value) => (value !== null && (high === null || value > high) ? value : high),
    null,
  );
