import type { ArithmeticTask, PowTask, SliderTask, SoundTask } from '@/lib/contract/shapes/challenge';
import type { ChallengeKind } from '@/lib/contract/words/challenge';
import type { ArithmeticSecret } from './arithmetic/create-arithmetic';
import type { PowSecret } from './pow/create-pow';
import type { SliderSecret } from './slider/create-slider';
import type { SoundSecret } from './sound/create-sound';

/** The part of a challenge that the shopper gets; it does not contain the answer. */
export type ChallengeTask = ArithmeticTask | SliderTask | SoundTask | PowTask;

/** The part that Redis keeps until the challenge is answered or runs out: the answer, and the data needed to judge it. */
export type ChallengeSecret = ArithmeticSecret | SliderSecret | SoundSecret | PowSecret;

/**
 * Makes a task with its answer; null if that can't be done now.
 * @param riskScore how suspicious the visitor is, 0 … 1
 */
export type CreateTask = (
  kind: ChallengeKind,
  riskScore: number,
) => Promise<{ task: ChallengeTask; secret: ChallengeSecret } | null>;

/** The user and the sale of a challenge. They are part of its key, so that no other user finds it. */
export type ChallengeOwner = { saleId: string; userId: string };

export type Challenge = ChallengeTask & {
  challengeId: string;
  /** Epoch ms. */
  expiresAt: number;
};
