/** People who were told to come back, as counts by the tenth of a second in which they first came. */
type Absent = {
  add: (since: number) => void;
  /** One of them is here again. People who came so much earlier and are absent will not come any more. */
  remove: (since: number) => void;
  /** How many of them came before, or within the same tenth of a second. @param since epoch ms */
  before: (since: number) => number;
};

const STEP_MS = 100;
/** Someone who came twenty minutes ago has given up. */
const FORGET_MS = 1_200_000;

/**
 * Counts those who wait without a connection. It keeps ten numbers a second, however many they are.
 * @param retryWithinMs everybody is told to come back within this time
 */
export function createAbsent(retryWithinMs: number): Absent {
  /** In the order of time, but for what comes back. */
  const steps = new Map<number, number>();
  const stepOf = (atMs: number) => Math.floor(atMs / STEP_MS);
  const forgetBefore = (atMs: number) => {
    for (const step of steps.keys()) if (step < stepOf(atMs)) steps.delete(step);
  };
  const change = (since: number, by: number) => {
    const count = (steps.get(stepOf(since)) ?? 0) + by;
    if (count > 0) steps.set(stepOf(since), count);
    else steps.delete(stepOf(since));
  };
  return {
    add(since) {
      forgetBefore(Date.now() - FORGET_MS);
      change(since, 1);
    },
    remove(since) {
      change(since, -1);
      forgetBefore(since - 1.25 * retryWithinMs);
    },
    before(since) {
      let count = 0;
      for (const [step, each] of steps) if (step <= stepOf(since)) count += each;
      return count;
    },
  };
}
