import { processWide } from '@/lib/process-wide';
import type { AcquireResult } from './acquire';

/** Upper bounds of the buckets in ms; the last bucket has none. 8 s is the limit of the alert. */
const BOUNDS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 8_000, Number.POSITIVE_INFINITY];
/**
 * The number of kinds we expect at most. Kinds are names in the code, so more of them mean that an id was used as a
 * kind.
 */
const MAX_KINDS = 100;

type Histogram = {
  count: number;
  sumMs: number;
  maxMs: number;
  /** `count`: number of waits or holds that took at most `upToMs`, and longer than the bucket before. */
  buckets: { upToMs: number; count: number }[];
};

type LockMetrics = {
  acquired: number;
  notAcquired: number;
  /** Number of tries that had to be repeated or were given up, because another holder had the lock. */
  contended: number;
  reentered: number;
  lost: number;
  /** Number of holds longer than the alert's limit: since the start, and at this moment. */
  longHolds: number;
  heldLong: number;
  waitMs: Histogram;
  holdMs: Histogram;
};

const byKind = processWide('lock-metrics', () => new Map<string, LockMetrics>());

/** Returns the figures of this process's locks since it started, per kind. */
export const readLockMetrics = (): Record<string, LockMetrics> => structuredClone(Object.fromEntries(byKind));

/** Counts one try to get a lock; `waitMs` runs from the first request to the answer. */
export function recordWait(name: string, waitMs: number, { status, attempts }: AcquireResult): void {
  const metrics = of(name);
  metrics[status === 'acquired' ? 'acquired' : 'notAcquired'] += 1;
  if (attempts > 1 || status === 'timeout') metrics.contended += 1;
  observe(metrics.waitMs, waitMs);
}

/** Counts the end of a hold. */
export const recordHold = (name: string, holdMs: number): void => observe(of(name).holdMs, holdMs);

/** Counts each time that work takes a lock it already holds. */
export function recordReentry(name: string): void {
  of(name).reentered += 1;
}

/** Counts a lock that was lost while held. */
export function countLost(name: string): void {
  of(name).lost += 1;
}

/** Counts a hold that passed the alert's limit. @returns a function to call when the hold ends */
export function countLongHold(name: string): () => void {
  const metrics = of(name);
  metrics.longHolds += 1;
  metrics.heldLong += 1;
  return () => {
    metrics.heldLong -= 1;
  };
}

function of(name: string): LockMetrics {
  const kind = name.split(':', 1)[0] ?? name;
  const known = byKind.get(kind);
  if (known) return known;
  if (byKind.size >= MAX_KINDS && kind !== 'other') return of('other');
  const fresh: LockMetrics = {
    acquired: 0,
    notAcquired: 0,
    contended: 0,
    reentered: 0,
    lost: 0,
    longHolds: 0,
    heldLong: 0,
    waitMs: emptyHistogram(),
    holdMs: emptyHistogram(),
  };
  byKind.set(kind, fresh);
  return fresh;
}

function emptyHistogram(): Histogram {
  return { count: 0, sumMs: 0, maxMs: 0, buckets: BOUNDS_MS.map((upToMs) => ({ upToMs, count: 0 })) };
}

function observe(histogram: Histogram, ms: number): void {
  histogram.count += 1;
  histogram.sumMs += ms;
  histogram.maxMs = Math.max(histogram.maxMs, ms);
  const bucket = histogram.buckets.find(({ upToMs }) => ms <= upToMs);
  if (bucket) bucket.count += 1;
}
