import { backoffMs } from '@/lib/outbox/backoff';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** A process that has run this long is sound: earlier failures no longer count. */
const STEADY_MS = 30_000;

/**
 * Returns how often in a row processes have failed, now that one has ended. @param before the count before it @param
 * startedAt monotonic ms
 */
export const failuresInARow = (before: number, startedAt: number): number =>
  performance.now() - startedAt < STEADY_MS ? before + 1 : 1;

/** Returns how many ms to wait before starting the next process. */
export const restartPauseMs = (failures: number): number =>
  backoffMs(failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
