import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LIMIT_SCOPES, type RateLimited } from '@/lib/redis/limit-policy';
import { type Counts, countAttempt } from './count-attempt';
import { attempts, saleLimits } from './testing/attempts';
import { models } from './testing/models';

const START = 1_700_000_000_123;

it('[G1 G2 G3 G15] counts an attempt by all of its limits or by none, and names the longest of the waits', () => {
  const met = new Set<string>();
  fc.assert(
    fc.property(saleLimits, attempts, (limits, history) => {
      const counts: Counts = new Map();
      /** When each admitted call came, by key: the models know only admitted calls. */
      const admitted = new Map<string, number[]>();
      let now = START;
      for (const { attempt, gapMs } of history) {
        now += gapMs;
        const applied = LIMIT_SCOPES.flatMap((scope) => {
          const [policy, key] = [limits[scope], attempt[scope]];
          return policy && key !== undefined ? [{ scope, policy, key }] : [];
        });
        let expected: RateLimited | null = null;
        for (const { scope, policy, key } of applied) {
          const windowMs = policy.windowSec * 1000;
          const model = models[policy.algorithm](policy.limit, windowMs);
          for (const at of admitted.get(key) ?? []) model.call(at);
          const waitMs = model.call(now);
          if (waitMs > (expected?.waitMs ?? 0)) expected = { scope, limit: policy.limit, windowMs, waitMs };
        }
        expect(countAttempt(counts, limits, attempt, now)).toEqual(expected);
        if (expected) met.add(expected.scope);
        else for (const { key } of applied) admitted.set(key, [...(admitted.get(key) ?? []), now]);
      }
    }),
    { numRuns: 200 },
  );
  expect(met).toEqual(new Set(LIMIT_SCOPES));
}, 600_000);

it('[G1 G2 G3 G15] a call after the wait that was named is let through, one before it is not', () => {
  let refusals = 0;
  fc.assert(
    fc.property(saleLimits, attempts, (limits, history) => {
      const counts: Counts = new Map();
      let now = START;
      for (const { attempt, gapMs } of history) {
        now += gapMs;
        const limited = countAttempt(counts, limits, attempt, now);
        if (!limited) continue;
        refusals += 1;
        if (limited.waitMs > 1)
          expect(countAttempt(counts, limits, attempt, now + limited.waitMs - 1)).not.toBeNull();
        now += limited.waitMs;
        expect(countAttempt(counts, limits, attempt, now)).toBeNull();
      }
    }),
    { numRuns: 200 },
  );
  expect(refusals).toBeGreaterThan(200);
}, 600_000);
