import { z } from 'zod';
import type { Explanation } from '@/lib/checkout/explain-attempts';
import type { Trace } from '@/lib/desk/why/trace-shopper';
import { REFUSAL_PLACES, RISK_CLASSES } from '@/lib/refusal/types';
import { count, errorCode, orderStatus, time, units } from './common';

const accepted = z.object({
  outcome: z.literal('accepted'),
  ...{ at: time, orderNo: z.string(), quantity: z.int(), status: orderStatus },
  endReason: z.string().nullable(),
});

const refused = z.object({
  outcome: z.literal('refused'),
  at: time.describe('The first time.'),
  ...{ place: z.enum(REFUSAL_PLACES), code: errorCode, times: count, lastAt: time },
  available: units.nullable().describe('Units left the first time; null: nobody noted it.'),
});

export const explanation = z
  .object({
    ...{ saleId: z.string(), startsAt: time, totalStock: units },
    soldOutAt: time
      .nullable()
      .describe('When the last unit had gone before this shopper was told so; null: that was not it.'),
    attempts: z.array(z.discriminatedUnion('outcome', [accepted, refused])),
    isComplete: z.boolean().describe('False: more refusals came in this sale than could be kept.'),
  })
  .meta({ id: 'Explanation' }) satisfies z.ZodType<Explanation>;

const risk = z.enum(RISK_CLASSES);

const traced = {
  afterStartMs: z.int().describe('Negative: before the start.'),
  taken: z
    .object({ orders: count, units: count, lastAt: time.nullable() })
    .describe('What had been accepted by then, as far as it is written.'),
};

export const trace = z
  .object({
    sale: z.object({
      ...{ saleId: z.string(), title: z.string(), startsAt: time, endsAt: time },
      ...{ totalStock: units, limitPerUser: z.int() },
    }),
    user: z.object({ userId: z.string(), email: z.string(), name: z.string() }),
    attempts: z.array(
      z.discriminatedUnion('outcome', [
        accepted.extend({ ...traced, enteredAt: time.nullable() }),
        refused.extend({ ...traced, risk, enteredAt: z.null() }),
      ]),
    ),
    risk: risk.describe('The hardest that the risk rules said of them in these attempts.'),
    reservedAt: time.nullable(),
    lost: count.describe('Refusals of this sale, of whomever, that could not be kept.'),
    keptSince: time.describe('Refusals from before are deleted.'),
  })
  .meta({ id: 'Trace' }) satisfies z.ZodType<Trace>;
