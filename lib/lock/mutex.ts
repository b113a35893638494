import 'server-only';
import { Mutex as RedisMutex, RedlockMutex } from 'redis-semaphore';
import type { RedisConnection } from '@/lib/redis/connection';

/**
 * One holder's claim on a lock, in one Redis or in several. The library brings SET NX PX and the scripts that check
 * the owner. We do the retries, renewal, validity and fencing ourselves: the library's renewal timer turns a lost
 * connection into an unhandled rejection, and its Redlock does not subtract the time that acquiring took.
 */
export type Mutex = {
  readonly identifier: string;
  /** Tries once. Over several nodes, it undoes a try without a majority everywhere. */
  tryAcquire(): Promise<boolean>;
  /** Restarts the time to live. Returns false if another holder or nobody has the lock. */
  renew(): Promise<boolean>;
  /** Deletes the claim wherever it is still this holder's, even if we don't know whether it was ever stored. */
  withdraw(): Promise<void>;
};

class SingleMutex extends RedisMutex implements Mutex {
  renew(): Promise<boolean> {
    return this._refresh();
  }
  withdraw(): Promise<void> {
    return this._release();
  }
}

class MultiMutex extends RedlockMutex implements Mutex {
  renew(): Promise<boolean> {
    return this._refresh();
  }
  withdraw(): Promise<void> {
    return this._release();
  }
}

/** Makes a claim with a random identifier of its own; sends nothing yet. @param key built by `keys.lock` */
export function openMutex(nodes: readonly RedisConnection[], key: string, ttlMs: number): Mutex {
  const options = {
    lockTimeout: ttlMs,
    acquireTimeout: ttlMs,
    acquireAttemptsLimit: 1,
    retryInterval: 0,
    refreshInterval: 0,
  };
  const [only, ...others] = nodes;
  if (only === undefined) throw new TypeError('a lock needs a Redis');
  return others.length === 0 ? new SingleMutex(only, key, options) : new MultiMutex([...nodes], key, options);
}
