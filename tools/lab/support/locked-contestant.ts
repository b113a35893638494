import type { Redis } from 'ioredis';
import type { Contestant, Stores } from '../types';
import { unlock } from './lock';
import { closeRedis, openRedis, redisContestant } from './redis-contestant';
import { writeBackKey } from './write-back';

/**
 * Makes a contestant that reads and writes back in Redis under a distributed lock. The lock lives on other Redis
 * servers than the stock.
 * @param lockUrls the servers that hold the lock.
 * @param acquire takes the lock; null when it can't be had, and then the buyer is turned away.
 */
export function lockedContestant(
  stores: Stores,
  lockUrls: string[],
  acquire: (nodes: Redis[]) => Promise<{ release(): Promise<unknown> } | null>,
): Contestant {
  const nodes = lockUrls.map(openRedis);
  return redisContestant(stores, {
    prepare: () => Promise.all(nodes.map(unlock.load)),
    async attempt(redis, userId) {
      const lock = await acquire(nodes);
      if (!lock) return { answer: 'busy' };
      try {
        return await writeBackKey(redis, userId);
      } finally {
        await lock.release();
      }
    },
    tearDown: () => Promise.all(nodes.map(closeRedis)),
  });
}

/** Returns the first of the lock servers. @throws Error if there is none. */
export function onlyNode(nodes: Redis[]): Redis {
  const [node] = nodes;
  if (!node) throw new Error('there is no Redis for locks');
  return node;
}
