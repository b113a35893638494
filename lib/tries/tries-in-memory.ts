import { LRUCache } from 'lru-cache';
import {
  type Claim,
  type ClaimResult,
  complete,
  settlement,
  type TryCounter,
  type TryOutcome,
} from './types';

/**
 * Each key takes about 200 bytes. A forgotten subject starts again from zero: while Redis is away, that is better
 * than running out of memory.
 */
const MAX_KEYS = 100_000;

/** Failures so far, and the earliest moment for the next try; for a gauge, the end of its window. */
type State = { failures: number; at: number };

/** Counts like `claim-tries-n.lua` and `settle-tries-n.lua`, in one process and by any clock; a test compares the two. */
export function createTriesInMemory(now: () => number) {
  const states = new LRUCache<string, State>({ max: MAX_KEYS, ttl: 1, ttlResolution: 0, perf: { now } });

  const load = ({ key, kind, keepMs, maxMs }: Required<TryCounter>): State => {
    const { failures, at } = states.get(key) ?? { failures: 0, at: 0 };
    if (kind === 'gauge') return at <= now() ? { failures: 0, at: now() + keepMs } : { failures, at };
    return { failures, at: Math.min(at, now() + maxMs) };
  };
  const save = ({ key, kind, keepMs }: Required<TryCounter>, state: State) =>
    states.set(key, state, { ttl: kind === 'gauge' ? state.at - now() : keepMs });
  const isTight = (counters: readonly Required<TryCounter>[]) =>
    counters.some((counter) => counter.kind === 'gauge' && load(counter).failures >= counter.free);
  const waitAfter = (counter: Required<TryCounter>, failures: number, tight: boolean) => {
    const beyond = failures - (tight ? counter.tight : counter.free);
    return beyond < 0 ? 0 : Math.min(counter.maxMs, counter.baseMs * 2 ** Math.min(beyond, 30));
  };

  return {
    claim(asked: readonly TryCounter[]): ClaimResult {
      const counters = asked.map(complete);
      const tight = isTight(counters);
      let [longest, place] = [0, 0];
      for (const [at, counter] of counters.entries()) {
        const leftMs = load(counter).at - now();
        if (counter.kind !== 'gauge' && leftMs > longest) [longest, place] = [leftMs, at];
      }
      if (longest > 0) return { status: 'wait', waitMs: longest, counter: asked[place] as TryCounter };
      const charged = counters.map((counter) => {
        const failures = load(counter).failures + 1;
        const waitMs = waitAfter(counter, failures, tight);
        const isCharged = counter.kind === 'ahead' || (counter.kind === 'late' && waitMs > 0);
        if (isCharged) save(counter, { failures, at: now() + waitMs });
        return isCharged;
      });
      return { status: 'go', claim: { counters: asked, charged, isLocal: true } };
    },

    settle(claim: Claim, outcome: TryOutcome): number[] {
      const counters = claim.counters.map(complete);
      const tight = isTight(counters);
      const letters = settlement(claim, outcome);
      return counters.map((counter, at) => {
        const state = load(counter);
        const letter = letters[at];
        if (letter === 'f') {
          const failures = state.failures + 1;
          const until = Math.max(state.at, now() + waitAfter(counter, failures, tight));
          save(counter, { failures, at: counter.kind === 'gauge' ? state.at : until });
          return failures;
        }
        if (letter === 'r' && state.failures > 1) {
          save(counter, { failures: state.failures - 1, at: now() });
          return state.failures - 1;
        }
        if (letter === 'd' || letter === 'r') {
          states.delete(counter.key);
          return 0;
        }
        return state.failures;
      });
    },
  };
}
