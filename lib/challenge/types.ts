import type { ArithmeticTask, PowTask, SliderTask, SoundTask } from '@/lib/contract/shapes/challenge';
import type { ArithmeticSecret } from './arithmetic/create-arithmetic';
import type { PowSecret } from './pow/create-pow';
import type { SliderSecret } from './slider/create-slider';
import type { SoundSecret } from './sound/create-sound';

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
