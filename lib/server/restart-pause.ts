import { backoffMs } from '@/lib/outbox/backoff';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** A process that has run as long as this is sound: what was before is forgotten. */
const STEADY_MS = 30_000;

/** How often in a row processes have failed, now that one has ended. @param before it @param startedAt monotonic ms */
export const failuresInARow = (before: number, startedAt: number): number =>
  performance.now() - startedAt < STEADY_MS ? before + 1 : 1;

/** How long to wait before the next one is started. */
export const restartPauseMs = (failures: number): number =>
  backoffMs(failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
