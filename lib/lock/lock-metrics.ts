import { processWide } from '@/lib/process-wide';
import type { AcquireResult } from './acquire';

/** Upper bounds in ms; the last bucket has none. The 8 s are the alert's. */
const BOUNDS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 8_000, Number.POSITIVE_INFINITY];
/** Kinds are names in the code. More than this many mean that somebody put an id there. */
const MAX_KINDS = 100;

type Histogram = {
  count: number;
  sumMs: number;
  maxMs: number;
  /** How many took at most `upToMs` and longer than the bucket before. */
  buckets: { upToMs: number; count: number }[];
};

type LockMetrics = {
  acquired: number;
  notAcquired: number;
  /** Took more than one try, or was given up: somebody else had the lock. */
  contended: number;
  reentered: number;
  lost: number;
  /** Held longer than the alert's limit: since the start, and just now. */
  longHolds: number;
  heldLong: number;
  waitMs: Histogram;
  holdMs: Histogram;
};

const byKind = processWide('lock-metrics', () => new Map<string, LockMetrics>());

/** Figures of this process's locks since it started, per kind. */
export const readLockMetrics = (): Record<string, LockMetrics> => structuredClone(Object.fromEntries(byKind));

/** Counts one try to get a lock, in ms from the first question to the answer. */
export function recordWait(name: string, waitMs: number, { status, attempts }: AcquireResult): void {
  const metrics = of(name);
  metrics[status === 'acquired' ? 'acquired' : 'notAcquired'] += 1;
  if (attempts > 1 || status === 'timeout') metrics.contended += 1;
  observe(metrics.waitMs, waitMs);
}

/** Counts the end of a hold. */
export const recordHold = (name: string, holdMs: number): void => observe(of(name).holdMs, holdMs);

/** Counts work that took a lock again from within its hold. */
export function recordReentry(name: string): void {
  of(name).reentered += 1;
}

/** Counts a lock that was lost while held. */
export function countLost(name: string): void {
  of(name).lost += 1;
}

/** Counts a hold that passed the alert's limit. @returns to be called when it ends */
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
