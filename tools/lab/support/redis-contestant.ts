import { Redis } from 'ioredis';
import type { Attempt, Contestant, Stores } from '../types';

export const STOCK_KEY = 'lab:{sale}:stock';
export const ORDERS_KEY = 'lab:{sale}:orders';

/** All keys that a race leaves behind; the second pattern is the sale of the product's own script. */
const OWN_KEYS = ['lab:*', 'sale:{lab}*'];

type Work = {
  /** Sets up the units. Default: their number as a string at `STOCK_KEY`. */
  load?(redis: Redis, units: number): Promise<unknown>;
  /** In the racing process, before the start: loads scripts, opens further connections. */
  prepare?(redis: Redis): Promise<unknown>;
  attempt(redis: Redis, userId: string): Promise<Attempt>;
  /** Reads the stock counter. Default: the number at `STOCK_KEY`. */
  readStock?(redis: Redis): Promise<number>;
  readOrders?(redis: Redis): Promise<number>;
  tearDown?(): Promise<unknown>;
};

/**
 * Opens a connection like the product's: commands of one tick share a pipeline, and a command that fails, fails at
 * once.
 */
export function openRedis(url: string): Redis {
  const redis = new Redis(url, {
    enableAutoPipelining: true,
    maxRetriesPerRequest: 1,
    disableClientInfo: true,
  });
  // The commands that fail carry the same error.
  redis.on('error', () => {});
  return redis;
}

/** Ends a connection after its last answer, or at once if the server is gone. */
export async function closeRedis(redis: Redis): Promise<void> {
  await redis.quit().catch(() => redis.disconnect());
}

/** Makes a contestant with its stock in Redis. Its accepted orders are a list there, like a queue of order messages. */
export function redisContestant(stores: Stores, work: Work): Contestant {
  const redis = openRedis(stores.redisUrl);
  return {
    async setUp(units) {
      const old = (await Promise.all(OWN_KEYS.map((pattern) => redis.keys(pattern)))).flat();
      if (old.length > 0) await redis.unlink(...old);
      await (work.load ? work.load(redis, units) : redis.set(STOCK_KEY, units));
    },
    async connect() {
      await redis.ping();
      await work.prepare?.(redis);
    },
    attempt: (userId) => work.attempt(redis, userId),
    async readOutcome() {
      const [stock, orders] = await Promise.all([
        work.readStock ? work.readStock(redis) : readStock(redis),
        work.readOrders ? work.readOrders(redis) : redis.llen(ORDERS_KEY),
      ]);
      return { stock, orders };
    },
    async tearDown() {
      await work.tearDown?.();
      await closeRedis(redis);
    },
  };
}

export async function readStock(redis: Redis): Promise<number> {
  return Number(await redis.get(STOCK_KEY));
}

/** Records the order of a buyer who got a unit. */
export async function placeOrder(redis: Redis, userId: string): Promise<void> {
  await redis.rpush(ORDERS_KEY, userId);
}
