import { z } from 'zod';
import { CHALLENGE_KINDS } from '../words/challenge';
import { time } from './common';

const picture = { image: z.string().describe('A data address.'), width: z.int(), height: z.int() };

const powTask = z.object({
  kind: z.literal('pow'),
  parameters: z
    .object({
      algorithm: z.string(),
      nonce: z.string(),
      salt: z.string(),
      cost: z.int(),
      keyLength: z.int(),
      keyPrefix: z.string(),
    })
    .describe("What altcha's solver takes."),
  maxTries: z.int().describe('The solution is found after at most so many; for a progress bar.'),
});
export type PowTask = z.output<typeof powTask>;

const sliderTask = z.object({
  kind: z.literal('slider'),
  ...picture,
  piece: z.string().describe('A data address.'),
  pieceSize: z.int().describe("In the picture's units, as all that follows."),
  pieceY: z.int().describe('How far from the top the piece is; it moves sideways only.'),
  maxX: z.int().describe('It moves from 0 to this …'),
  stepX: z.int().describe('… in steps of this.'),
});
export type SliderTask = z.output<typeof sliderTask>;

const arithmeticTask = z.object({ kind: z.literal('arithmetic'), ...picture });
export type ArithmeticTask = z.output<typeof arithmeticTask>;

const soundTask = z.object({
  kind: z.literal('sound'),
  sound: z.string().describe('A data address: groups of beeps, to be counted.'),
  groups: z.int().describe('The answer has a digit for each.'),
});
export type SoundTask = z.output<typeof soundTask>;

const issued = {
  challengeId: z.string(),
  expiresAt: time,
  alternatives: z.array(z.enum(CHALLENGE_KINDS)).describe('What may be asked for instead.'),
};

/** The part of a challenge that the shopper gets; it does not contain the answer. */
export const challenge = z
  .discriminatedUnion('kind', [
    powTask.extend(issued),
    sliderTask.extend(issued),
    arithmeticTask.extend(issued),
    soundTask.extend(issued),
  ])
  .meta({ id: 'Challenge' });
export type OfferedChallenge = z.output<typeof challenge>;

export const challengeWish = z.object({
  kind: z.enum(CHALLENGE_KINDS).optional().describe('Another than the sale asks for; one of `alternatives`.'),
});

export const challengeAnswer = z.object({ challengeId: z.string().max(200), answer: z.string().max(2000) });
export type ChallengeAnswer = z.output<typeof challengeAnswer>;
