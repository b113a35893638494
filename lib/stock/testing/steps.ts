import fc from 'fast-check';
import { HOUR_MS } from './open-sale';

/**
 * The three positions of "now" relative to a sale, each an hour from its edges, so the running clock never decides a
 * test.
 */
export const WINDOWS = {
  before: { startsAt: Date.now() + HOUR_MS, endsAt: Date.now() + 2 * HOUR_MS },
  open: { startsAt: Date.now() - HOUR_MS, endsAt: Date.now() + HOUR_MS },
  after: { startsAt: Date.now() - 2 * HOUR_MS, endsAt: Date.now() - HOUR_MS },
};

const user = fc.constantFrom('ada', 'ben', 'cyd', 'dan');
const rarely = (oneIn: number) => fc.nat(oneIn - 1).map((n) => n === 0);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const purchase = fc.record({
  verb: fc.constant('purchase' as const),
  user,
  // There are few tokens, so that some are used again.
  token: fc.nat(40),
  quantity: fc.integer({ min: 1, max: 4 }),
  /** Where the sale has variants: one of them. */
  variant: fc.nat(3),
  isGateWrong: rarely(12),
  isEpochStale: rarely(20),
});
const settle = fc.record({
  verb: fc.constantFrom('confirm' as const, 'release' as const),
  // `pick` chooses one of the user's orders, if the user has that many.
  user,
  pick: fc.nat(10),
});
const afterwards = fc.record({
  verb: fc.constantFrom('retake' as const, 'take-back' as const),
  user,
  pick: fc.nat(10),
  // For `retake`: as sold. For `take-back`: for sale again.
  isSale: fc.boolean(),
});
const restock = fc.record({
  verb: fc.constant('restock' as const),
  delta: fc.integer({ min: -8, max: 8 }).filter((delta) => delta !== 0),
  request: fc.nat(14),
  variant: fc.nat(3),
  isEpochStale: rarely(10),
});
const configure = fc.record({
  verb: fc.constant('configure' as const),
  window: maybe(fc.constantFrom('open', 'open', 'open', 'before', 'after')),
  paused: maybe(fc.constantFrom(false, false, true)),
  limit: fc.integer({ min: 1, max: 6 }),
});
const wait = fc.record({
  verb: fc.constantFrom('join' as const, 'join' as const, 'enlist' as const, 'leave' as const),
  user,
  token: fc.nat(40),
  variant: fc.nat(3),
});
const serve = fc.record({ verb: fc.constant('serve' as const) });
const load = fc.record({ verb: fc.constant('load' as const), ahead: fc.integer({ min: -1, max: 1 }) });
const close = fc.record({ verb: fc.constant('close' as const) });

const step = fc.oneof(
  { weight: 48, arbitrary: purchase },
  { weight: 28, arbitrary: settle },
  { weight: 16, arbitrary: afterwards },
  { weight: 14, arbitrary: wait },
  { weight: 5, arbitrary: serve },
  { weight: 10, arbitrary: restock },
  { weight: 8, arbitrary: configure },
  { weight: 5, arbitrary: load },
  { weight: 1, arbitrary: close },
);

export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A sale's settings and a random history of everything that can happen to it. */
export const history = fc.record({
  total: fc.oneof(fc.integer({ min: 0, max: 14 }), fc.constant(-1)),
  limit: fc.integer({ min: 1, max: 6 }),
  /** The stock of each variant, which add up to the total; empty: it has none. */
  stocks: fc.oneof(
    fc.constant<number[]>([]),
    fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 4 }),
  ),
  /** Units that come back go to those who wait; an unlimited stock has no such list. */
  hasWaitlist: fc.boolean(),
  steps: fc.array(step, { minLength: 20, maxLength: 80, size: 'max' }),
});
