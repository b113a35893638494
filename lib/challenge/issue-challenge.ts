import 'server-only';
import { nowMs } from '@/lib/clock';
import type { ChallengeKind } from '@/lib/contract/words/challenge';
import { newId } from '@/lib/ids/new-id';
import { cacheRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { countChallenge } from './count-challenge';
import type { Challenge, ChallengeOwner, CreateTask } from './types';

/** Enough time to solve any kind slowly; a solution kept for later is worthless after it. */
export const LIFETIME_MS = 180_000;

type IssueResult =
  | { status: 'issued'; challenge: Challenge }
  | { status: 'too_many'; retryAfterMs: number }
  | { status: 'busy' };

/**
 * Makes a challenge for one user and one sale, good for one answer within three minutes. The answer stays in Redis.
 * @param bits how hard it is, if it is a calculation: see `triesOf`
 * @param create makes the task
 * @returns `too_many` if the user asked for more than a dozen within a minute, `busy` if no task can be made now
 */
export async function issueChallenge(
  owner: ChallengeOwner,
  kind: ChallengeKind,
  bits: number,
  create: CreateTask,
): Promise<IssueResult> {
  const retryAfterMs = await countChallenge(owner.userId);
  if (retryAfterMs !== null) return { status: 'too_many', retryAfterMs };
  const made = await create(kind, bits);
  if (!made) return { status: 'busy' };
  const challengeId = newId('chal');
  const expiresAt = nowMs() + LIFETIME_MS;
  const key = keys.challenge(owner, challengeId);
  await cacheRedis().set(key, JSON.stringify(made.secret), 'PX', LIFETIME_MS);
  return { status: 'issued', challenge: { challengeId, expiresAt, ...made.task } };
}
