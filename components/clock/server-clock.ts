/**
 * The server's clock as seen from a browser: Cristian's algorithm (1989) over several round trips, keeping the one
 * that is known best. Elapsed time is the browser's monotonic one, so a device clock that is wrong, or changed while
 * the page is open, makes no difference.
 */

export interface ClockSample {
  /** Monotonic times (ms) at which the question left and the answer came. */
  sentAt: number;
  receivedAt: number;
  /** What the server's clock showed in between, epoch ms. */
  serverTime: number;
}

export interface ClockEstimate {
  /** Server epoch ms = monotonic ms + offset. */
  offsetMs: number;
  /** The offset is right to within this many ms, at `measuredAt`. */
  errorMs: number;
  measuredAt: number;
}

/** How fast two quartz clocks may drift apart: 100 ms in 1,000 s is twice what is usual. */
const DRIFT_PER_MS = 0.0001;

/** The estimate one round trip gives: the answer was made somewhere between leaving and arriving. */
export function estimateFrom({ sentAt, receivedAt, serverTime }: ClockSample): ClockEstimate {
  const roundTripMs = Math.max(0, receivedAt - sentAt);
  return {
    offsetMs: serverTime - (sentAt + roundTripMs / 2),
    // Half the round trip, and the server's clock is read in whole ms.
    errorMs: roundTripMs / 2 + 1,
    measuredAt: receivedAt,
  };
}

/** How wrong an estimate may be by now, in ms. */
export function errorAt(estimate: ClockEstimate, monotonicMs: number): number {
  return estimate.errorMs + Math.max(0, monotonicMs - estimate.measuredAt) * DRIFT_PER_MS;
}

/**
 * Takes the better of what is known and what was just measured. If the two can't both be true (the device slept and
 * its monotonic clock stood still, or the server's clock was set), the newer one is.
 */
export function refine(known: ClockEstimate | null, measured: ClockEstimate): ClockEstimate {
  if (!known) return measured;
  const knownErrorMs = errorAt(known, measured.measuredAt);
  const isContradiction = Math.abs(known.offsetMs - measured.offsetMs) > knownErrorMs + measured.errorMs;
  return isContradiction || measured.errorMs <= knownErrorMs ? measured : known;
}

/** Whether an answer may have been made earlier than it was asked for, by a cache on the way. */
export function isFromCache(headers: Headers): boolean {
  return Number(headers.get('age') ?? 0) > 0;
}

/**
 * When to measure again, in ms: rarely while the start is far, often in the last minute (A3), spread by up to a
 * quarter so that waiting browsers don't come in step.
 * @param toStartMs time left until what is being waited for
 * @param random 0 ≤ r < 1
 */
export function resyncDelayMs(toStartMs: number, random: number): number {
  const isNear = toStartMs > 0 && toStartMs <= 60_000;
  return (isNear ? 5000 : 30_000) * (0.75 + 0.25 * random);
}
