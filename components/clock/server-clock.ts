/**
 * Estimates the server's clock from a browser with Cristian's algorithm (1989): it makes several round trips and
 * keeps the most precise one. It measures elapsed time with the browser's monotonic clock, so a wrong device clock,
 * or one that is changed while the page is open, makes no difference.
 */

export interface ClockSample {
  /** Monotonic times (ms) at which the request left and the answer came. */
  sentAt: number;
  receivedAt: number;
  /** The server's clock in between, epoch ms. */
  serverTime: number;
}

export interface ClockEstimate {
  /** Server time in epoch ms = monotonic ms + offset. */
  offsetMs: number;
  /** The most the offset may be wrong by, in ms, at `measuredAt`. */
  errorMs: number;
  measuredAt: number;
}

/** How fast two quartz clocks may drift apart: 100 ms in 1,000 s, twice the usual drift. */
const DRIFT_PER_MS = 0.0001;

/** Returns the estimate from one round trip: the server answered at some moment between the request and the answer. */
export function estimateFrom({ sentAt, receivedAt, serverTime }: ClockSample): ClockEstimate {
  const roundTripMs = Math.max(0, receivedAt - sentAt);
  return {
    offsetMs: serverTime - (sentAt + roundTripMs / 2),
    // Half the round trip, plus 1 ms because the server's clock is read in whole ms.
    errorMs: roundTripMs / 2 + 1,
    measuredAt: receivedAt,
  };
}

/** Returns by how many ms an estimate may be wrong by now. */
export function errorAt(estimate: ClockEstimate, monotonicMs: number): number {
  return estimate.errorMs + Math.max(0, monotonicMs - estimate.measuredAt) * DRIFT_PER_MS;
}

/**
 * Keeps the better of the known estimate and the new one. If both can't be true (the device slept and its monotonic
 * clock stood still, or an operator set the server's clock), keeps the newer one.
 */
export function refine(known: ClockEstimate | null, measured: ClockEstimate): ClockEstimate {
  if (!known) return measured;
  const knownErrorMs = errorAt(known, measured.measuredAt);
  const isContradiction = Math.abs(known.offsetMs - measured.offsetMs) > knownErrorMs + measured.errorMs;
  return isContradiction || measured.errorMs <= knownErrorMs ? measured : known;
}

/** Says whether a cache may have made this answer before the page asked for it. */
export function isFromCache(headers: Headers): boolean {
  return Number(headers.get('age') ?? 0) > 0;
}

/**
 * Returns in how many ms to measure again: rarely while the start is far, often in the last minute, spread by up
 * to a quarter so that waiting browsers don't fall into step.
 * @param toStartMs time left until the awaited moment
 * @param random 0 ≤ r < 1
 */
export function resyncDelayMs(toStartMs: number, random: number): number {
  const isNear = toStartMs > 0 && toStartMs <= 60_000;
  return (isNear ? 5000 : 30_000) * (0.75 + 0.25 * random);
}
