import 'server-only';
import { cacheRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

/** More than a person needs who fails and tries again; a program gets no more guesses than this. */
export const MAX_PER_MINUTE = 12;
const WINDOW_MS = 60_000;

/**
 * Counts a challenge that a user asks for, over all sales.
 * @returns null if it is within the limit, else the time until the next may be asked for, in ms
 */
export async function countChallenge(userId: string): Promise<number | null> {
  const key = keys.challengeCount(userId);
  const answers = await cacheRedis().multi().set(key, 0, 'PX', WINDOW_MS, 'NX').incr(key).pttl(key).exec();
  const [count, leftMs] = (answers ?? []).slice(1).map(([error, value]) => {
    if (error) throw error;
    return Number(value);
  });
  if (count === undefined || leftMs === undefined) throw new Error('a challenge could not be counted');
  return count <= MAX_PER_MINUTE ? null : Math.max(1, leftMs);
}
