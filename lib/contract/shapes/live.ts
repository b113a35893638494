import { z } from 'zod';
import { BREAKER_STATES } from '../words/breaker';
import { INVARIANT_IDS } from '../words/invariants';
import { ATTEMPT_OUTCOMES, type AttemptOutcome } from '../words/live';
import { STOCK_MODES } from '../words/sale';
import { SENTENCE_CODES } from '../words/sentences';
import { count, errorCode, time } from './common';
import { phase, sale, tiers } from './sale';
import { featureOff } from './switchboard';

export const situation = z
  .object({
    sale,
    stockMode: z
      .enum(STOCK_MODES)
      .describe('Who sells it just now; other than `redis` only while a sale has gone over to Postgres.'),
    phase: phase.nullable(),
    serverTime: time,
    stock: tiers
      .extend({
        variants: z
          .array(count)
          .optional()
          .describe('Units left of each variant, in order; only where the sale has some.'),
      })
      .nullable()
      .describe('Null while it is not loaded: before it is published, or after it was lost.'),
    database: z.object({ held: count, sold: count }),
  })
  .meta({ id: 'Situation' });

/** How a sale stands at this instant: the part that is cheap to read. */
export type Situation = z.output<typeof situation>;

const attempts = z.object(
  Object.fromEntries(ATTEMPT_OUTCOMES.map((outcome) => [outcome, count])) as Record<
    AttemptOutcome,
    typeof count
  >,
);
export type Attempts = z.output<typeof attempts>;

const breaker = z.object({
  service: z.string(),
  state: z.enum(BREAKER_STATES),
  since: time,
  lastError: z.string().nullable(),
});
export type BreakerView = z.output<typeof breaker>;

const statement = z.object({
  code: z.enum(SENTENCE_CODES),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
});

/** One sentence with its numbers; money in minor units. */
export type Statement = z.output<typeof statement>;

const invariant = z.object({
  id: z.literal(INVARIANT_IDS),
  ok: z.boolean(),
  statements: z
    .array(statement)
    .describe('The numbers that prove it; where broken, what is wrong, with examples.'),
  detail: z.string().describe('The same in English.'),
});
export type InvariantView = z.output<typeof invariant>;

const livePoint = z.object({
  ...attempts.shape,
  at: time,
  written: count,
  outbox: count,
  relayLagMs: z.number(),
});

/** The figures of one second that are drawn over time: counters since the sale began, and the state of the outbox. */
export type LivePoint = z.output<typeof livePoint>;

export const live = situation
  .extend({
    at: time.describe('When the figures below were counted; the stock is of this instant.'),
    orders: z.object({
      pendingPayment: count,
      paid: count,
      cancelled: count.describe('Those whose time to pay ran out, `expired`, included.'),
      failed: count,
      expired: count,
      refunded: count,
      written: count,
    }),
    queue: z.object({
      undecided: count.describe('Purchases that wait for their decision; 0 but for the strategy `queue`.'),
      outbox: count,
      relayLagMs: z.number(),
      deadLetters: count,
      ordersPerSec: z
        .number()
        .nullable()
        .describe('Over the last 10 to 60 s that somebody looked; null at the first look.'),
    }),
    reservations: z
      .object({ reserved: count, written: count.describe('Those that Postgres has by now.') })
      .nullable()
      .describe('Null for a sale that takes none.'),
    waitlist: z
      .object({
        waiting: count,
        joined: count.describe('Places that were ever taken.'),
        given: count.describe('Those that became an order.'),
        left: count,
        passedOver: count.describe('Those whose shopper had as many units as one person may have.'),
        isOpen: z.boolean(),
      })
      .nullable()
      .describe('Null for a sale without one.'),
    attempts,
    refusals: z
      .array(z.object({ code: errorCode, count }))
      .describe('Why purchases were refused, the most frequent first.'),
    risk: z.object({ hits: count }),
    riskRules: z
      .array(z.object({ ruleId: z.string(), name: z.string(), hits: count }))
      .describe('The same by rule, the most frequent first.'),
    breakers: z
      .array(breaker)
      .describe('The side services as the workers see them; none of them can stop the sale.'),
    switchedOff: z
      .array(featureOff)
      .describe('The side features that are off just now, in the order in which load switches them off.'),
    invariants: z.array(invariant),
    verifiedAt: time.nullable().describe('When the invariants were recomputed; null: never yet.'),
    points: z
      .array(livePoint)
      .optional()
      .describe('With `since`: what was counted after it, second by second.'),
  })
  .meta({ id: 'Live' });

/** The admin area's view of one sale. */
export type Live = z.output<typeof live>;

/** The moment up to which the client has seen everything, epoch milliseconds. */
export const liveQuery = z.object({ since: z.coerce.number().int().min(0).optional() });
