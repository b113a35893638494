import 'server-only';
import { cacheRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { verifyArithmetic } from './arithmetic/verify-arithmetic';
import { verifyPow } from './pow/verify-pow';
import { verifySlider } from './slider/verify-slider';
import { verifySound } from './sound/verify-sound';
import type { ChallengeOwner, ChallengeSecret } from './types';

const CHALLENGE_ID = /^chal_[a-z0-9]{26}$/;

/**
 * Judges an answer. One Redis command reads and removes the challenge, so exactly one of many simultaneous answers is
 * judged, and a wrong answer uses the challenge up like a right one. A challenge of another user or another sale is
 * not found and not touched.
 * @param answer as the kind wants it; at most a few KB, see each `verify-…`
 * @returns whether it is right; false also for a challenge that ran out, was used, or never existed
 * @throws when Redis can't be reached: no answer passes unjudged
 */
export async function answerChallenge(
  owner: ChallengeOwner,
  { challengeId, answer }: { challengeId: string; answer: string },
): Promise<boolean> {
  if (!CHALLENGE_ID.test(challengeId)) return false;
  const kept = await cacheRedis().getdel(keys.challenge(owner, challengeId));
  return kept !== null && verify(JSON.parse(kept) as ChallengeSecret, answer);
}

function verify(secret: ChallengeSecret, answer: string): boolean {
  switch (secret.kind) {
    case 'pow':
      return verifyPow(secret, answer);
    case 'slider':
      return verifySlider(secret, answer);
    case 'arithmetic':
      return verifyArithmetic(secret, answer);
    case 'sound':
      return verifySound(secret, answer);
  }
}
