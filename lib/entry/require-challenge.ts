import 'server-only';
import { answerChallenge } from '@/lib/challenge/answer-challenge';
import type { ChallengeAnswer } from '@/lib/contract/shapes/challenge';
import type { ChallengeKind } from '@/lib/contract/words/challenge';

export type ChallengeRefusal =
  | { status: 'challenge_required'; kind: ChallengeKind }
  | { status: 'challenge_failed'; kind: ChallengeKind };

/**
 * Returns why an answer does not meet the required challenge, or null if it does. Uses up a right answer, so call
 * this last.
 * @throws while Redis can't be reached: a sale that wants a challenge is then closed, not open to everybody
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
