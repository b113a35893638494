import { createChallenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { PowSecret } from '@/lib/challenge/pow/create-pow';
import type { ChallengeOwner } from '@/lib/challenge/types';
import type { ChallengeAnswer } from '@/lib/contract/shapes/challenge';
import { newId, randomText } from '@/lib/ids/new-id';
import { cacheRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

/** Longer than any round. */
const LIFETIME_MS = 600_000;
const AT_ONCE = 500;

/**
 * Issues proofs of work that are solved already, one to an owner, each good for one entry. The shop judges them like any
 * other; only finding the answer takes one try instead of a thousand.
 */
export async function solvedProofs(owners: readonly ChallengeOwner[]): Promise<ChallengeAnswer[]> {
  const answers: ChallengeAnswer[] = [];
  for (let from = 0; from < owners.length; from += AT_ONCE)
    answers.push(...(await Promise.all(owners.slice(from, from + AT_ONCE).map(solved))));
  return answers;
}

async function solved(owner: ChallengeOwner): Promise<ChallengeAnswer> {
  const secret = randomText(32);
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: 1,
    counter: 0,
    deriveKey,
    hmacSignatureSecret: secret,
    hmacKeySignatureSecret: secret,
  });
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error('a proof of work has no solution');
  const challengeId = newId('chal');
  const kept: PowSecret = { kind: 'pow', challenge, secret };
  await cacheRedis().set(keys.challenge(owner, challengeId), JSON.stringify(kept), 'PX', LIFETIME_MS);
  const { counter, derivedKey } = solution;
  return { challengeId, answer: JSON.stringify({ counter, derivedKey }) };
}
