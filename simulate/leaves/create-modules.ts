import type { SimProcess } from '../sim-process';
import { adminLeaves } from './admin';
import { orderLeaves } from './order';
import { outboxLeaves } from './outbox';
import { paymentLeaves } from './payment';
import { redisClient } from './redis-client';
import { saleLeaves } from './sale';
import { Session } from './session';
import { stockLeaves } from './stock';
import { surroundingLeaves } from './surroundings';

/**
 * Every module of the product that a simulated process gets from the simulator instead, by its path: what talks to Redis,
 * Postgres, the executor, the provider or the clock. All other modules are the product's own.
 */
export function createModules(process: SimProcess) {
  const session = new Session(process);
  const redis = redisClient(process);
  const outbox = outboxLeaves(session, process.world.executor);
  return {
    'lib/db/client': { db: () => session.db },
    'lib/redis/client': { stockRedis: () => redis, cacheRedis: () => redis, blockingRedis: () => redis },
    ...outbox,
    ...orderLeaves(session, outbox),
    ...paymentLeaves(session),
    ...saleLeaves(process, session),
    ...stockLeaves(process),
    ...adminLeaves(process, session),
    ...surroundingLeaves(process),
    'node:timers/promises': {
      setTimeout: (ms: number, value?: unknown, { signal }: { signal?: AbortSignal } = {}) =>
        new Promise((resolve, reject) => {
          const cancel = process.after(ms, () => resolve(value));
          signal?.addEventListener('abort', () => {
            cancel();
            reject(signal.reason);
          });
        }),
    },
  };
}

export type Modules = ReturnType<typeof createModules>;
