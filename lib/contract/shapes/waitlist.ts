import { z } from 'zod';
import { WAITLIST_STATES } from '../words/waitlist';
import { count } from './common';

export const waitlistPlace = z
  .object({
    state: z.enum(WAITLIST_STATES).describe('How the shopper stands.'),
    variant: count.describe('The variant that the place is for, from 1; 0: no place, or the sale has none.'),
    ahead: count.nullable().describe('How many come before; null for whoever does not wait.'),
    waiting: count.describe('How many wait in all; for the variant that the place is for, if it is for one.'),
    orderNo: z.string().nullable().describe('The order that a given unit is.'),
    isOpen: z.boolean().describe('Whether more people may join.'),
    askAgainMs: count.nullable().describe('When it makes sense to ask again; null: nothing will change.'),
  })
  .meta({ id: 'WaitlistPlace' });

/** A shopper's place on the waitlist of a sale, and the list it is on. */
export type WaitlistPlace = z.output<typeof waitlistPlace>;
