import { z } from 'zod';
import { challengeAnswer } from './challenge';
import { count, time } from './common';

const hex32 = z.string().regex(/^[0-9a-f]{64}$/);

/** What a page needs to work out its own place and its wait; the same for everybody. */
export const lineState = z
  .object({
    seedHash: hex32.describe('SHA-256 of the seed, known before anybody could join.'),
    shuffledWith: z
      .object({ seed: hex32, noncesDigest: hex32, beacon: z.string().nullable() })
      .nullable()
      .describe('What the order of those who came before the start follows from; null until then.'),
    joined: count.describe('How many numbers have been given.'),
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
    asOf: time.describe('When this was read. Old: the shop does not reach its database; no place gets lost.'),
  })
  .meta({ id: 'LineState' });
export type LineState = z.output<typeof lineState>;

/** Somebody's own place in a line or draw. */
export const ownPlace = z
  .object({
    number: count.describe('In the order of joining, from 0.'),
    place: count.nullable().describe('In the order of admission, from 0; null before the start.'),
    joinedAt: time,
    enteredAt: time.nullable(),
    turnEndsAt: time
      .nullable()
      .describe('Until when to enter or, after that, to buy; null: the turn has not come.'),
    isOver: z.boolean().describe('The turn has passed; joining again gives a place at the back.'),
  })
  .meta({ id: 'OwnPlace' });
export type OwnPlace = z.output<typeof ownPlace>;

export const joinWish = z.object({
  nonce: z
    .string()
    .regex(/^[A-Za-z0-9_-]{21}[AQgw]$/, '16 bytes in base64url')
    .describe('16 random bytes in base64url: they go into the shuffle.')
    .optional(),
  challenge: challengeAnswer.optional(),
});
