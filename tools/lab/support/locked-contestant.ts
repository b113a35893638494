import { withLock } from '@/lib/lock/with-lock';
import type { Contestant, Stores } from '../types';
import { closeRedis, openRedis, redisContestant } from './redis-contestant';
import { writeBackKey } from './write-back';

/** Far longer than any holder works here: a lock that expires during the work would be another experiment. */
const LOCK_TTL_MS = 5_000;
const RETRY_INTERVAL_MS = 50;

/**
 * Makes a contestant that reads and writes back in Redis under the product's own distributed lock. The lock lives on
 * other Redis servers than the stock. A buyer who can't have it in time is turned away.
 * @param lockUrls the servers that hold the lock; with several it is Redlock.
 * @param acquireTimeoutMs how long a buyer tries; 0 = once.
 */
export function lockedContestant(
  stores: Stores,
  lockUrls: string[],
  { acquireTimeoutMs }: { acquireTimeoutMs: number },
): Contestant {
  const nodes = lockUrls.map(openRedis);
  const options = { ttlMs: LOCK_TTL_MS, acquireTimeoutMs, retryIntervalMs: RETRY_INTERVAL_MS, nodes };
  return redisContestant(stores, {
    prepare: () => Promise.all(nodes.map((node) => node.ping())),
    async attempt(redis, userId) {
      const turn = await withLock('lab', options, () => writeBackKey(redis, userId));
      return turn.status === 'done' ? turn.value : { answer: 'busy' };
    },
    tearDown: () => Promise.all(nodes.map(closeRedis)),
  });
}
