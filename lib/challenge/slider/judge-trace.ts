import { STEP_X } from './geometry';

/** One point of the trace: ms since the piece was first touched, and its place. */
export type TracePoint = readonly [t: number, x: number];

export const MAX_POINTS = 100;

/** Even a quick push has a dozen points or more; a press of a key has one. */
const MIN_POINTS = 4;

/** No person pushes a piece home in less; a quick hand takes 300 ms, one that has to look first 600. */
const MIN_DURATION_MS = 150;

/** How far page and server may differ about the puzzle's age. */
const CLOCK_SLACK_MS = 2_000;

type TraceVerdict = 'plausible' | 'few' | 'quick' | 'disordered' | 'longer_than_puzzle' | 'even';

/**
 * Judges whether a hand may have moved like this. It stops programs that send the right place without moving
 * anything, not programs that imitate a hand: this is a doorstep, not a wall. The only upper bound is the puzzle's
 * own age: a slow hand is no machine.
 * @param ageMs how long ago the puzzle was made
 */
export function judgeTrace(trace: readonly TracePoint[], ageMs: number): TraceVerdict {
  const [first, last] = [trace[0], trace.at(-1)];
  if (!first || !last || trace.length < MIN_POINTS) return 'few';
  if (trace.some(([t], at) => t < (trace[at - 1]?.[0] ?? 0))) return 'disordered';
  const duration = last[0] - first[0];
  if (duration < MIN_DURATION_MS) return 'quick';
  if (duration > ageMs + CLOCK_SLACK_MS) return 'longer_than_puzzle';
  return isEven(trace, first, last) ? 'even' : 'plausible';
}

/**
 * Tells whether the piece moved at one speed from end to end, never off it by more than a step. Hands speed up and
 * slow down. A key held down does move evenly (after a first pause), so steps of a key's size are not held against
 * anyone.
 */
function isEven(trace: readonly TracePoint[], [t0, x0]: TracePoint, [t1, x1]: TracePoint): boolean {
  const isByKeys = trace.every(([, x], at) => Math.abs(x - (trace[at - 1]?.[1] ?? x)) <= STEP_X);
  if (isByKeys) return false;
  const speed = (x1 - x0) / (t1 - t0);
  return trace.every(([t, x]) => Math.abs(x - (x0 + speed * (t - t0))) <= STEP_X);
}
