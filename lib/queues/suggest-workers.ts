import type { Load, Suggestion } from '@/lib/contract/shapes/queue';

/** A backlog is worked off within this long, s. */
const DRAIN_WITHIN_SEC = 10;
/** Below this age the relays are keeping up: entries wait for batches to fill, and for the executor's disk. */
const LAGGING_AFTER_MS = 2_000;
const MOST_WORKERS = 32;

/**
 * Computes how many workers the load needs. While there is a backlog the present workers take as much as they can, so
 * each takes its share of `takenPerSec`. The result is enough workers to keep that rate and clear the backlog within
 * ten seconds. Pure.
 */
export function suggestWorkers({ backlog, oldestAgeMs, takenPerSec, workers }: Load): Suggestion {
  if (workers === 0) return { workers: 1, why: 'none' };
  if (backlog === 0 || oldestAgeMs < LAGGING_AFTER_MS) return { workers, why: 'keeping_up' };
  if (takenPerSec === null) return { workers, why: 'measuring' };
  if (takenPerSec === 0) return { workers, why: 'stuck' };
  const wanted = Math.ceil((workers * (takenPerSec + backlog / DRAIN_WITHIN_SEC)) / takenPerSec);
  return { workers: Math.min(MOST_WORKERS, wanted), why: 'behind' };
}
