import { z } from 'zod';
import { TAKINGS_BY } from '../words/takings';
import { timeZone } from './account';
import { count, currency, filterTime, money } from './common';

/** Up to 100 ids. */
const IDS = /^[\w-]{1,64}(,[\w-]{1,64}){0,99}$/;

export const takingsFilter = z.object({
  by: z.enum(TAKINGS_BY).default('all').describe('What a line is about.'),
  saleIds: z
    .string()
    .regex(IDS, 'is not a list of up to 100 ids')
    .optional()
    .describe('Of these sales alone: up to 100 ids with commas between.'),
  campaignId: z.string().max(64).optional(),
  from: filterTime.describe('When it was bought.').optional(),
  to: filterTime.describe('Not included.').optional(),
  timeZone: timeZone.default('UTC').describe('Whose days they are.'),
});
export type TakingsFilter = z.output<typeof takingsFilter>;

export const takings = z
  .object({
    day: z.iso.date().nullable().describe('When it was bought; null: the line is not about a day.'),
    sale: z
      .object({ saleId: z.string(), title: z.string() })
      .nullable()
      .describe('Null: the line is not about a sale.'),
    currency,
    orders: count.describe('Those that were paid, the refunded ones included.'),
    takenMinor: money.describe('What they paid.'),
    refundedMinor: money.describe('What of that was given back, or is decided to be.'),
    heldMinor: money.describe('What orders that wait for their payment will pay.'),
  })
  .meta({ id: 'Takings' });

/** The money of orders that belong together, in one currency. */
export type Takings = z.output<typeof takings>;
