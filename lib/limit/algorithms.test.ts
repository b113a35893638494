import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIMIT_ALGORITHMS } from '@/lib/contract/words/limit';
import { take } from './algorithms';
import { models } from './testing/models';

/** The property tests take long on a busy machine. */
const TIMEOUT_MS = 600_000;
const START = 1_700_000_000_123;

/** The time before each call, ms. Most calls come in quick succession, so that they meet limits. */
const history = fc
  .tuple(
    fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 29, max: 70 })),
    fc.integer({ min: 1, max: 4 }),
  )
  .chain(([limit, windowSec]) =>
    fc.record({
      limit: fc.constant(limit),
      windowMs: fc.constant(windowSec * 1000),
      gaps: fc.array(
        fc.oneof(
          { weight: 6, arbitrary: fc.constant(0) },
          { weight: 4, arbitrary: fc.integer({ min: 1, max: Math.ceil((windowSec * 2000) / limit) }) },
          { weight: 1, arbitrary: fc.integer({ min: 1, max: windowSec * 2500 }) },
        ),
        { minLength: limit, maxLength: 200 },
      ),
    }),
  );

describe.each(LIMIT_ALGORITHMS)('%s', (algorithm) => {
  it(
    '[G7] lets through what its model lets through, and says to wait exactly as long',
    () => {
      let refusals = 0;
      fc.assert(
        fc.property(history, ({ limit, windowMs, gaps }) => {
          const model = models[algorithm](limit, windowMs);
          const state: number[] = [];
          let now = START;
          // At the end, enough calls come at once that one must be refused.
          for (const gap of [...gaps, ...Array(limit + 1).fill(0)]) {
            now += gap;
            // Looks twice first: looking counts nothing.
            const looks = [1, 2].map(() => take[algorithm](state, limit, windowMs, now, true));
            const waitMs = take[algorithm](state, limit, windowMs, now);
            expect(waitMs).toBe(model.call(now));
            expect(looks).toEqual([waitMs, waitMs]);
            expect(state.length).toBeLessThanOrEqual(1 + 2 * 31);
            if (waitMs > 0) refusals += 1;
          }
        }),
        { numRuns: 100 },
      );
      expect(refusals).toBeGreaterThanOrEqual(100);
    },
    TIMEOUT_MS,
  );

  it(
    '[G7] lets exactly `limit` calls of one moment through, and the next one after the wait it named, not before',
    () => {
      fc.assert(
        fc.property(
          fc.integer({ min: 1, max: 500 }),
          fc.integer({ min: 1, max: 100_000 }),
          (limit, windowMs) => {
            const state: number[] = [];
            const call = (now: number) => take[algorithm](state, limit, windowMs, now);
            for (let n = 0; n < limit; n += 1) expect(call(START)).toBe(0);
            const waitMs = call(START);
            expect(waitMs).toBeGreaterThan(0);
            if (waitMs > 1) expect(call(START + waitMs - 1)).toBe(1);
            expect(call(START + waitMs)).toBe(0);
          },
        ),
        { numRuns: 100 },
      );
    },
    TIMEOUT_MS,
  );

  it('[G7] counts to a million a day without losing a millisecond', () => {
    const [limit, windowMs] = [1_000_000, 86_400_000];
    const model = models[algorithm](limit, windowMs);
    const state: number[] = [];
    for (const now of [START, START + 7, START + 86_399_999, START + 86_400_001, START + 9e9]) {
      expect(take[algorithm](state, limit, windowMs, now)).toBe(model.call(now));
    }
    expect(state.every(Number.isSafeInteger)).toBe(true);
  });
});

it(
  '[G7] a sliding window never lets more than `limit` through in any windowMs',
  () => {
    fc.assert(
      fc.property(history, ({ limit, windowMs, gaps }) => {
        const state: number[] = [];
        const admitted: number[] = [];
        let now = START;
        for (const gap of gaps) {
          now += gap;
          if (take['sliding-window'](state, limit, windowMs, now) > 0) continue;
          admitted.push(now);
          expect(admitted.filter((at) => at > now - windowMs).length).toBeLessThanOrEqual(limit);
        }
      }),
      { numRuns: 100 },
    );
  },
  TIMEOUT_MS,
);

it('[G7] a raised limit has room at once in the leaky bucket, and as tokens come back in the token bucket', () => {
  for (const [algorithm, expected] of [
    ['leaky-bucket', 0],
    ['token-bucket', 500],
  ] as const) {
    const state: number[] = [];
    expect(take[algorithm](state, 1, 1000, START)).toBe(0);
    expect(take[algorithm](state, 2, 1000, START)).toBe(expected);
  }
});
