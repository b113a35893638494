import { z } from 'zod';
import { REFUSAL_PLACES, RISK_CLASSES } from '../words/attempt';
import { WAITLIST_OUTCOMES, WHY_PASSED } from '../words/waitlist';
import { count, errorCode, orderStatus, time, units } from './common';

const accepted = z.object({
  outcome: z.literal('accepted'),
  at: time,
  orderNo: z.string(),
  quantity: z.int(),
  status: orderStatus,
  endReason: z.string().nullable(),
});
export type AcceptedAttempt = z.output<typeof accepted>;

const refused = z.object({
  outcome: z.literal('refused'),
  at: time.describe('The first time.'),
  place: z.enum(REFUSAL_PLACES),
  code: errorCode,
  times: count,
  lastAt: time,
  available: units.nullable().describe('Units left the first time; null: nobody noted it.'),
});
export type RefusedAttempt = z.output<typeof refused>;

const ownAttempt = z.discriminatedUnion('outcome', [accepted, refused]);

/** One attempt as the shopper may see it: what happened, but not what the shop suspects about them. */
export type ExplainedAttempt = z.output<typeof ownAttempt>;

const waitlistStory = z
  .object({
    joinedAt: time,
    number: z.int().min(1).describe('Lower numbers come first.'),
    variantName: z.string().nullable().describe('The variant that it is for; null: the sale has none.'),
    became: z.enum(WAITLIST_OUTCOMES),
    at: time.nullable().describe('When; null: still waiting, or the sale ended first.'),
    orderNo: z.string().nullable().describe('The order of the unit that was given.'),
    why: z.enum(WHY_PASSED).nullable().describe('Why a unit that was due went to the next.'),
  })
  .meta({ id: 'WaitlistStory' });

/** A place that a shopper had on a sale's waitlist, and what became of it. */
export type WaitlistStory = z.output<typeof waitlistStory>;

export const explanation = z
  .object({
    saleId: z.string(),
    startsAt: time,
    totalStock: units,
    soldOutAt: time
      .nullable()
      .describe('When the last unit had gone before this shopper was told so; null: that was not it.'),
    attempts: z.array(ownAttempt),
    waitlist: z.array(waitlistStory).describe('Every place that the shopper had on the waitlist.'),
    isComplete: z
      .boolean()
      .describe(
        "False: more refusals came in this sale than could be kept, so this shopper's may be missing.",
      ),
  })
  .meta({ id: 'Explanation' });
export type Explanation = z.output<typeof explanation>;

const risk = z.enum(RISK_CLASSES);

const taken = z.object({ orders: count, units: count, lastAt: time.nullable() });

/** Sales up to a moment: purchases, their units, and when the last of them was accepted. */
export type Taken = z.output<typeof taken>;

const traced = {
  afterStartMs: z.int().describe('Negative: before the start.'),
  taken: taken.describe(
    'What had been accepted by then, this attempt included if it was; as far as it is written.',
  ),
};

const tracedAttempt = z.discriminatedUnion('outcome', [
  accepted.extend({
    ...traced,
    enteredAt: time.nullable().describe('When the entry token was given that bought it.'),
  }),
  refused.extend({ ...traced, risk, enteredAt: z.null() }),
]);

/** An attempt with the sale's time and stock at that moment. */
export type TracedAttempt = z.output<typeof tracedAttempt>;

export const trace = z
  .object({
    sale: z.object({
      saleId: z.string(),
      title: z.string(),
      startsAt: time,
      endsAt: time,
      totalStock: units,
      limitPerUser: z.int(),
    }),
    user: z.object({ userId: z.string(), email: z.string(), name: z.string() }),
    attempts: z.array(tracedAttempt),
    waitlist: z.array(waitlistStory),
    risk: risk.describe('The hardest that the risk rules said of them in these attempts.'),
    reservedAt: time.nullable().describe("Null: they didn't, or it stands no more."),
    lost: count.describe('Refusals of this sale, of whomever, that could not be kept.'),
    keptSince: time.describe('Refusals from before are deleted.'),
  })
  .meta({ id: 'Trace' });
export type Trace = z.output<typeof trace>;

export const traceQuestion = z.object({
  user: z.string().trim().min(1).max(254).describe('Id or e-mail address.'),
});
