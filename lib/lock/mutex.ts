import 'server-only';
import type { Redis } from 'ioredis';
import { Mutex as RedisMutex, RedlockMutex } from 'redis-semaphore';

/**
 * One holder's claim on a lock, in one Redis or in several. The library brings SET NX PX and the scripts that check the
 * owner. Spinning, renewal, validity and fencing are ours: the library's renewal timer turns a lost connection into an
 * unhandled rejection, and its Redlock does not subtract the time that acquiring took.
 */
export type Mutex = {
  readonly identifier: string;
  /** One try. Over several nodes, a try without a majority is undone everywhere. */
  tryAcquire(): Promise<boolean>;
  /** Starts the time to live again; false if the lock is somebody else's or nobody's. */
  renew(): Promise<boolean>;
  /** Deletes the claim wherever it is still this holder's, even if we don't know whether it was made. */
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

/** A claim with a random identifier of its own; nothing is sent yet. @param key built by `keys.lock` */
export function openMutex(nodes: readonly Redis[], key: string, ttlMs: number): Mutex {
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
