import type { SimProcess } from '../sim-process';
import { adminFakes } from './admin';
import { orderFakes } from './order';
import { outboxFakes } from './outbox';
import { paymentFakes } from './payment';
import { redisClient } from './redis-client';
import { saleFakes } from './sale';
import { Session } from './session';
import { stockFakes } from './stock';
import { surroundingFakes } from './surroundings';

/**
 * Makes, by its path, every module that a simulated process gets from the simulator: those that talk to Redis,
 * Postgres, the executor, the provider or the clock. All other modules are the product's own.
 */
export function createModules(process: SimProcess) {
  const session = new Session(process);
  const redis = redisClient(process);
  const outbox = outboxFakes(session, process.world.executor);
  return {
    'lib/db/client': { db: () => session.db },
    'lib/redis/client': { stockRedis: () => redis, cacheRedis: () => redis, blockingRedis: () => redis },
    'lib/redis/ask-server-of': { serverOf: () => '' },
    ...outbox,
    ...orderFakes(session, outbox),
    ...paymentFakes(session),
    ...saleFakes(process, session),
    ...stockFakes(process),
    ...adminFakes(process, session),
    ...surroundingFakes(process),
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
