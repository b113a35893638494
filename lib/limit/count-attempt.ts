import type { SaleLimits } from '@/lib/contract/shapes/limit';
import { LIMIT_SCOPES, type LimitScope, type RateLimited } from '@/lib/redis/limit-policy';
import { type LimitState, take } from './algorithms';

/** The key by which each limit counts an attempt. A limit without a key doesn't count it. */
export type Attempt = Partial<Record<LimitScope, string>>;

/** The counts, by key. A `Map` will do. */
export type Counts = {
  get: (key: string) => { algorithm: string; state: LimitState } | undefined;
  set: (key: string, count: { algorithm: string; state: LimitState }) => unknown;
};

/**
 * Counts an attempt by each limit that has a key for it, or by none of them if one refuses it. So a shopper refused
 * by the user limit uses up nothing of the limits shared with others. Same as `parts/count-attempt.lua`; a test
 * compares the two.
 * @param now ms by any clock, as long as it is always the same one
 * @returns the refusal with the longest wait; null = let through
 */
export function countAttempt(
  counts: Counts,
  limits: SaleLimits,
  attempt: Attempt,
  now: number,
): RateLimited | null {
  const applied = LIMIT_SCOPES.flatMap((scope) => {
    const [policy, key] = [limits[scope], attempt[scope]];
    if (!policy || key === undefined) return [];
    const { algorithm, limit, windowSec } = policy;
    const known = counts.get(key);
    const state = known?.algorithm === algorithm ? known.state : [];
    const ask = (isLook: boolean) => take[algorithm](state, limit, windowSec * 1000, now, isLook);
    return { scope, policy, count: { algorithm, state }, key, ask };
  });
  let strictest: RateLimited | null = null;
  for (const { scope, policy, ask } of applied) {
    const waitMs = ask(true);
    if (waitMs > (strictest?.waitMs ?? 0))
      strictest = { scope, limit: policy.limit, windowMs: policy.windowSec * 1000, waitMs };
  }
  if (strictest) return strictest;
  for (const { key, count, ask } of applied) {
    ask(false);
    counts.set(key, count);
  }
  return null;
}
