import type { ArithmeticSecret, ArithmeticTask } from './arithmetic/create-arithmetic';
import type { PowSecret, PowTask } from './pow/create-pow';
import type { SliderSecret, SliderTask } from './slider/create-slider';
import type { SoundSecret, SoundTask } from './sound/create-sound';

/** What takes a person's attention; each asks for other senses and another way to answer. */
export const PUZZLES = ['slider', 'arithmetic', 'sound'] as const;

export const CHALLENGE_KINDS = ['pow', ...PUZZLES] as const;
export type ChallengeKind = (typeof CHALLENGE_KINDS)[number];

/** What the shopper gets; nothing in it says the answer. */
export type ChallengeTask = ArithmeticTask | SliderTask | SoundTask | PowTask;

/** What Redis keeps of a challenge until it is answered or runs out: the answer, and what judging it needs. */
export type ChallengeSecret = ArithmeticSecret | SliderSecret | SoundSecret | PowSecret;

/** Whose challenge, and for which sale: part of its key, so that nobody else finds it. */
export type ChallengeOwner = { saleId: string; userId: string };

export type Challenge = ChallengeTask & {
  challengeId: string;
  /** Epoch ms. */
  expiresAt: number;
};
