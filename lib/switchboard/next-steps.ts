/** Time for the last step to show before another one follows. */
const DOWN_EVERY_MS = 1_000;
/** To which share of the load at which a feature went the load must have fallen, before it comes back. */
const BACK_BELOW = 0.8;
/** … and for how long. Without both a feature would come and go for as long as the load is about there. */
const CALM_MS = 5_000;

/** How far a process has switched side features off. */
export type Steps = {
  /** When each step was taken, epoch ms: as many features are off, in their order. */
  taken: readonly number[];
  /** Since when the load allows the last one to come back; null: it does not. */
  calmSince: number | null;
};

export const NO_STEPS: Steps = { taken: [], calmSince: null };

/**
 * Returns the steps after another look at the load: at most one feature goes or comes back at a time. Pure.
 * @param busy share of its time that the process works, 0 … 1
 * @param nowMs epoch ms
 * @param bars how busy the process must be for each feature to go, rising
 */
export function nextSteps(
  { taken, calmSince }: Steps,
  busy: number,
  nowMs: number,
  bars: readonly number[],
): Steps {
  const level = taken.length;
  const next = bars[level];
  const last = taken.at(-1) ?? Number.NEGATIVE_INFINITY;
  if (next !== undefined && busy >= next)
    // A clock that was set back must not stop the steps.
    return Math.abs(nowMs - last) < DOWN_EVERY_MS
      ? { taken, calmSince: null }
      : { taken: [...taken, nowMs], calmSince: null };
  const bar = bars[level - 1];
  if (bar === undefined || busy >= bar * BACK_BELOW) return { taken, calmSince: null };
  if (calmSince === null || calmSince > nowMs) return { taken, calmSince: nowMs };
  return nowMs - calmSince < CALM_MS ? { taken, calmSince } : { taken: taken.slice(0, -1), calmSince: nowMs };
}
