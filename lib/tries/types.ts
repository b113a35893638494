/**
 * A counter of failures, for what must not be guessed at: some are free, then each costs a wait twice as long as the one
 * before. Whoever waits is one subject (an account from one address, one device): nobody makes others wait.
 */
export type TryCounter = {
  /** From `keys.tries`. */
  key: string;
  /**
   * `ahead`: a try counts as a failure until it is settled. `late`: only once the free ones are used up; before, many may be
   * under way at once. `gauge`: makes nobody wait; from `free` failures within `keepMs` on the others go by `tight`.
   */
  kind: 'ahead' | 'late' | 'gauge';
  /** Failures without a wait. */
  free: number;
  /** The same while a gauge is full; default as `free`. */
  tight?: number;
  /** The first wait, ms; default 1 s. */
  baseMs?: number;
  /** The longest wait, ms; default 15 minutes. */
  maxMs?: number;
  /** Forgotten so long after the last failure, ms; of a gauge, its window. */
  keepMs: number;
};

/** A try that was let through, to be settled. */
export type Claim = {
  counters: readonly TryCounter[];
  /** Which of them took it for a failure. */
  charged: readonly boolean[];
  /** Counted by this process alone: Redis was away. */
  isLocal: boolean;
};

export type ClaimResult =
  | { status: 'go'; claim: Claim }
  /** Who waits, and how long, ms. */
  | { status: 'wait'; waitMs: number; counter: TryCounter };

/** `void`: nobody knows; it counts for nothing. */
export type TryOutcome = 'failed' | 'succeeded' | 'void';

/** A letter for each counter of a claim, as `settle-tries-n.lua` has them. */
export function settlement({ counters, charged }: Claim, outcome: TryOutcome): string {
  return counters
    .map(({ kind }, at) => {
      if (outcome === 'failed') return charged[at] ? '-' : 'f';
      if (outcome === 'succeeded' && kind === 'ahead') return 'd';
      return charged[at] ? 'r' : '-';
    })
    .join('');
}

const DEFAULTS = { baseMs: 1_000, maxMs: 15 * 60_000 };

/** With what is not said filled in. */
export const complete = (counter: TryCounter): Required<TryCounter> => ({
  ...DEFAULTS,
  tight: counter.free,
  ...counter,
});
