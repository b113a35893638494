import fc from 'fast-check';
import { STAGES } from './interrupt';

/** In how many slices the sale is split. */
export const SLICES = 3;
const slice = fc.nat(SLICES - 1);
const buyer = fc.nat(4);
const step = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({ verb: fc.constant('buy' as const), buyer, units: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      verb: fc.constantFrom('release' as const, 'confirm' as const, 'retake' as const),
      buyer,
      pick: fc.nat(3),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      verb: fc.constant('interrupt' as const),
      from: slice,
      to: slice,
      units: fc.integer({ min: 1, max: 4 }),
      stage: fc.constantFrom(...STAGES),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      verb: fc.constant('crowd' as const),
      buyers: fc.integer({ min: 3, max: 8 }),
      slice,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      verb: fc.constant('lose' as const),
      slices: fc.uniqueArray(slice, { minLength: 1 }),
      from: slice,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      verb: fc.constant('restock' as const),
      delta: fc.integer({ min: -5, max: 5 }).filter((n) => n !== 0),
      isCommitted: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ verb: fc.constant('late' as const), pick: fc.nat(10) }) },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant('settle' as const) }) },
);
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
/** A split sale's settings, and a random history of what can happen to it. */
export const history = fc.record({
  total: fc.integer({ min: 0, max: 16 }),
  limit: fc.integer({ min: 1, max: 4 }),
  steps: fc.array(step, { minLength: 10, maxLength: 30, size: 'max' }),
});
