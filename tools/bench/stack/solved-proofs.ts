import { randomBytes } from 'node:crypto';
import type { PowSecret } from '@/lib/challenge/pow/create-pow';
import type { ChallengeOwner } from '@/lib/challenge/types';
import type { ChallengeAnswer } from '@/lib/contract/shapes/challenge';
import { newId } from '@/lib/ids/new-id';
import { cacheRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

/** Longer than any round. */
const LIFETIME_MS = 600_000;
const AT_ONCE = 500;

/**
 * Issues proofs of work that are solved already, one to an owner, each good for one entry. The shop judges them like any
 * other; only nobody has to find the answer.
 */
export async function solvedProofs(owners: readonly ChallengeOwner[]): Promise<ChallengeAnswer[]> {
  const answers: ChallengeAnswer[] = [];
  for (let from = 0; from < owners.length; from += AT_ONCE)
    answers.push(...(await Promise.all(owners.slice(from, from + AT_ONCE).map(solved))));
  return answers;
}

async function solved(owner: ChallengeOwner): Promise<ChallengeAnswer> {
  const derivedKey = randomBytes(32).toString('hex');
  const challengeId = newId('chal');
  const kept: PowSecret = { kind: 'pow', derivedKey };
  await cacheRedis().set(keys.challenge(owner, challengeId), JSON.stringify(kept), 'PX', LIFETIME_MS);
  return { challengeId, answer: JSON.stringify({ counter: 0, derivedKey }) };
}
