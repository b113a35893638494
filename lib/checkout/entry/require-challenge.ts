import 'server-only';
import { answerChallenge } from '@/lib/challenge/answer-challenge';
import type { ChallengeAnswer } from '@/lib/contract/shapes/challenge';
import type { ChallengeKind } from '@/lib/contract/words/challenge';

export type ChallengeRefusal =
  | { status: 'challenge_required'; kind: ChallengeKind }
  | { status: 'challenge_failed'; kind: ChallengeKind };

/**
 * Whether this answer does not meet the challenge that is asked for; null when nothing stands in the way. A right answer
 * is used up here, so ask this last.
 * @throws while Redis can't be reached: a sale that wants a challenge is closed then, not open to everybody
 */
export async function requireChallenge(
  { saleId, kind }: { saleId: string; kind: ChallengeKind },
  userId: string,
  answer: ChallengeAnswer | undefined,
): Promise<ChallengeRefusal | null> {
  if (!answer) return { status: 'challenge_required', kind };
  const isRight = await answerChallenge({ saleId, userId }, answer);
  return isRight ? null : { status: 'challenge_failed', kind };
}
