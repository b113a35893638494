import { z } from 'zod';
import { PASSED_OVER } from '../words/draw';
import { challengeAnswer } from './challenge';
import { count, time } from './common';
import { variantWish } from './purchase';

const hex32 = z.string().regex(/^[0-9a-f]{64}$/);

/** The values from which a page works out its own place and its wait; the same for everybody. */
export const lineState = z
  .object({
    seedHash: hex32.describe('SHA-256 of the seed, known before anybody could join.'),
    shuffledWith: z
      .object({ seed: hex32, noncesDigest: hex32, beacon: z.string().nullable() })
      .nullable()
      .describe('What the order of those who came before the start follows from; null until then.'),
    joined: count.describe(
      'How many places have been given; until they are shuffled, without those that were left.',
    ),
    early: count.nullable().describe('How many joined before the start; null until they are shuffled.'),
    admitted: count.describe('Places below may enter,'),
    lapsed: count.describe('those below this no longer.'),
    pace: z
      .object({ least: z.number().min(0), most: z.number().min(0) })
      .nullable()
      .describe('How many people a minute are admitted, as measured in the last minute; null: unknown.'),
    reach: z
      .int()
      .min(-1)
      .describe('Units that nobody has paid for yet: so many can still get one; −1: no limit.'),
    held: z.boolean().describe('Nobody is admitted for the moment.'),
    closed: z.boolean().describe('Nobody joins any more.'),
    isAway: z
      .boolean()
      .describe('The shop does not reach its database, so the line stands still; no place gets lost.'),
  })
  .meta({ id: 'LineState' });
export type LineState = z.output<typeof lineState>;

/** A person's own place in a line or draw. */
export const ownPlace = z
  .object({
    number: count.describe('In the order of joining, from 0.'),
    variant: count.describe('The variant that is wished in a draw, from 1; 0: there is nothing to wish.'),
    place: count.nullable().describe('In the order of admission, from 0; null before the start.'),
    joinedAt: time,
    enteredAt: time.nullable(),
    turnEndsAt: time
      .nullable()
      .describe('Until when to enter or, after that, to buy; null: the turn has not come.'),
    isOver: z.boolean().describe('The turn has passed; joining again gives a place at the back.'),
    pseudonym: z.string().describe('The own name in the published list.'),
    draw: z
      .object({
        weight: count.describe('Tickets held.'),
        passedOver: z.enum(PASSED_OVER).nullable().describe('Why there is nothing to get; null: takes part.'),
        isFinal: z
          .boolean()
          .describe('Everybody has a place on the waitlist, and the first have their units.'),
        orderNo: z.string().nullable().describe('Of the unit that was won or came back; null: none yet.'),
      })
      .nullable()
      .describe('Of a draw, once it is drawn.'),
  })
  .meta({ id: 'OwnPlace' });
export type OwnPlace = z.output<typeof ownPlace>;

export const joinWish = variantWish.extend({
  nonce: z
    .string()
    .regex(/^[A-Za-z0-9_-]{21}[AQgw]$/, '16 bytes in base64url')
    .describe('16 random bytes in base64url: they go into the shuffle.')
    .optional(),
  challenge: challengeAnswer.optional(),
});

const steering = {
  perMinute: z
    .int()
    .min(1)
    .max(1_000_000)
    .nullable()
    .describe('How many are admitted per minute at most; null: as many as stock and machines allow.'),
  held: z.boolean().describe('Nobody is admitted.'),
  opened: z
    .boolean()
    .describe('Everybody who waits is admitted at once: from then on it is first come, first served.'),
  closed: z.boolean().describe('Nobody joins any more.'),
};

/** How staff steer a line. What is left out stays. */
export const lineChange = z
  .strictObject({ ...steering, version: z.int().min(1).describe('What was last seen of the settings.') })
  .partial()
  .required({ version: true });
export type LineChange = z.output<typeof lineChange>;

/** A line as staff see it. */
export const adminLine = z
  .object({
    ...steering,
    version: z.int(),
    early: count.nullable(),
    joined: count.describe('How many numbers have been given.'),
    joinedLastMinute: count,
    waiting: count.describe('Who waits now.'),
    admitted: count.describe('Who was let in.'),
    entered: count.describe('Who used the turn.'),
    gaveUp: count.describe('Who left, or let the turn pass.'),
    admittedLastMinute: count,
    pace: lineState.shape.pace,
    machineRate: z.number().describe('People a second that the machines have shown to take.'),
    endsInMinutes: z
      .object({ from: count, to: count })
      .nullable()
      .describe('In how many minutes all who wait will have been let in, if there are units; null: unknown.'),
    asOf: time,
  })
  .meta({ id: 'AdminLine' });
export type AdminLine = z.output<typeof adminLine>;
