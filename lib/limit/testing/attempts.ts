import fc from 'fast-check';
import type { LimitPolicy, SaleLimits } from '@/lib/contract/shapes/limit';
import { LIMIT_ALGORITHMS } from '@/lib/contract/words/limit';
import type { Attempt } from '../count-attempt';

const policy = (most: number): fc.Arbitrary<LimitPolicy | undefined> =>
  fc.option(
    fc.record({
      algorithm: fc.constantFrom(...LIMIT_ALGORITHMS),
      limit: fc.integer({ min: 1, max: most }),
      windowSec: fc.integer({ min: 1, max: 4 }),
    }),
    { nil: undefined, freq: 5 },
  );

/** A sale's limits; some may be missing. */
export const saleLimits: fc.Arbitrary<SaleLimits> = fc
  .record({ user: policy(3), interface: policy(12), ip: policy(6), device: policy(5) })
  .map((limits) => JSON.parse(JSON.stringify(limits)) as SaleLimits);

/** Attempts of three users from two addresses and two devices or none, with the time before each, ms. Most come in quick succession. */
export const attempts: fc.Arbitrary<{ attempt: Attempt; gapMs: number }[]> = fc.array(
  fc.record({
    attempt: fc
      .tuple(
        fc.constantFrom('ada', 'ada', 'ben', 'cyd'),
        fc.constantFrom('office', 'office', 'home', null),
        fc.constantFrom('phone', 'phone', 'desk', null),
      )
      .map(([user, ip, device]) => ({
        user,
        interface: 'all',
        ...(ip !== null && { ip }),
        ...(device !== null && { device }),
      })),
    gapMs: fc.oneof(
      { weight: 6, arbitrary: fc.constant(0) },
      { weight: 4, arbitrary: fc.integer({ min: 1, max: 700 }) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 9_000 }) },
    ),
  }),
  { minLength: 20, maxLength: 60 },
);
