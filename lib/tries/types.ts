/**
 * A counter of failures, for secrets that must not be guessed: some failures are free, then each costs a wait twice
 * as long as the last. Each counter belongs to one subject (an account from one address, one device), so nobody can
 * make others wait.
 */
export type TryCounter = {
  /** From `keys.tries`. */
  key: string;
  /**
   * `ahead`: a try counts as a failure until it is settled. `late`: the same, but only once the free ones are used
   * up; before that, many may be under way at once. `gauge`: causes no wait; from `free` failures within `keepMs` on,
   * the other counters use `tight`.
   */
  kind: 'ahead' | 'late' | 'gauge';
  /** How many failures cost no wait. */
  free: number;
  /** Replaces `free` while a gauge is full; default: the same as `free`. */
  tight?: number;
  /** The first wait, ms; default 1 s. */
  baseMs?: number;
  /** The longest wait, ms; default 15 minutes. */
  maxMs?: number;
  /** The counter forgets its failures this many ms after the last one; for a gauge, its window. */
  keepMs: number;
};

/** A try that may go ahead and has to be settled. */
export type Claim = {
  counters: readonly TryCounter[];
  /** Which of the counters counted it as a failure. */
  charged: readonly boolean[];
  /** Only this process counted it: Redis was away. */
  isLocal: boolean;
};

export type ClaimResult =
  | { status: 'go'; claim: Claim }
  /** The counter that demands a wait, and how many ms. */
  | { status: 'wait'; waitMs: number; counter: TryCounter };

/** `void`: the outcome is unknown; the try does not count. */
export type TryOutcome = 'failed' | 'succeeded' | 'void';

/** Returns one letter for each counter of a claim, as `settle-tries-n.lua` expects. */
export function settlement({ counters, charged }: Claim, outcome: TryOutcome): string {
  return counters
    .map(({ kind }, at) => {
      if (outcome === 'failed') return charged[at] ? '-' : 'f';
      if (outcome === 'succeeded' && kind === 'ahead') return 'd';
      return charged[at] ? 'r' : '-';
    })
    .join('');
}

/** What counters take that name no waits of their own. */
export const USUAL_WAITS = { baseMs: 1_000, maxMs: 15 * 60_000 };

/** Returns a counter with its defaults filled in. */
export const complete = (counter: TryCounter): Required<TryCounter> => ({
  ...USUAL_WAITS,
  tight: counter.free,
  ...counter,
});
