/** A backlog is worked off within this long, s. */
const DRAIN_WITHIN_SEC = 10;
/** Younger than this and relays are keeping up: they wait for batches to fill, and for the executor's disk. */
const LAGGING_AFTER_MS = 2_000;
const MOST_WORKERS = 32;

/** What autoscaling would act on. */
export type Load = {
  /** Purchases that wait. */
  backlog: number;
  oldestAgeMs: number;
  /** Taken by the executor in a second; null while nobody has looked for long enough. */
  takenPerSec: number | null;
  /** Worker processes that are alive. */
  workers: number;
};

export type Suggestion = {
  workers: number;
  why: /** Nothing waits for long. */
    | 'keeping_up'
    /** No worker is alive. */
    | 'none'
    /** It lags, and how fast it is taken is not known yet. */
    | 'measuring'
    /** It lags and nothing is taken: the executor or Postgres is what is missing, not workers. */
    | 'stuck'
    /** It lags, and more workers would catch up. */
    | 'behind';
};

/**
 * How many workers the load asks for. While there is a backlog the present ones take as much as they can, so each takes
 * its share of `takenPerSec`; enough are wanted to keep that up and work the backlog off within ten seconds. Pure.
 */
export function suggestWorkers({ backlog, oldestAgeMs, takenPerSec, workers }: Load): Suggestion {
  if (workers === 0) return { workers: 1, why: 'none' };
  if (backlog === 0 || oldestAgeMs < LAGGING_AFTER_MS) return { workers, why: 'keeping_up' };
  if (takenPerSec === null) return { workers, why: 'measuring' };
  if (takenPerSec === 0) return { workers, why: 'stuck' };
  const wanted = Math.ceil((workers * (takenPerSec + backlog / DRAIN_WITHIN_SEC)) / takenPerSec);
  return { workers: Math.min(MOST_WORKERS, wanted), why: 'behind' };
}
