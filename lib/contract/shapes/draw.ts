import { z } from 'zod';
import { PASSED_OVER } from '../words/draw';
import { DRAW_WEIGHTS } from '../words/sale';
import { count, time } from './common';

/** A draw as staff see it. */
export const adminDraw = z
  .object({
    entrants: count.describe('Who entered, also who left.'),
    left: count,
    closed: z.boolean(),
    drawnAt: time.nullable(),
    isFinal: z.boolean().describe('Everybody drawn stands on the waitlist.'),
    beacon: z.enum(['none_set', 'told_nothing', 'used']).nullable().describe('Null: not drawn yet.'),
    rule: z.enum(DRAW_WEIGHTS),
    weights: z
      .array(z.object({ weight: count, people: count, won: count }))
      .describe(
        'How many people hold so many tickets, and how many of them have had a unit. Before the draw: by what is known now.',
      ),
    variants: z
      .array(z.object({ name: z.string(), units: count, people: count, won: count }))
      .describe(
        'The units of each variant, how many people wish it, and how many of them have had one. Empty: there are none.',
      ),
    passedOver: z.array(z.object({ reason: z.enum(PASSED_OVER), people: count })),
    paid: count.describe('Winners who have paid.'),
    unpaid: count.describe('Winners whose time to pay runs.'),
    lapsed: count.describe('Winners who let it pass: their units went on.'),
    waiting: count.describe('Who stands in line for what comes back.'),
  })
  .meta({ id: 'AdminDraw' });
export type AdminDraw = z.output<typeof adminDraw>;
