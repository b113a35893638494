import type { RedisConnection } from '@/lib/redis/connection';

export type LockOptions = {
  /** How long the lock outlives a holder that died, in ms, 50 … 600,000. It is renewed while the holder works. */
  ttlMs: number;
  /** How long to try, in ms; 0 = once. */
  acquireTimeoutMs?: number;
  /**
   * Wait between two tries, in ms. Over several nodes it varies by ± half, so that rivals do not split the votes for
   * ever.
   */
  retryIntervalMs?: number;
  /** An odd number of independent Redis nodes (`openLockNodes`). Without them the cache Redis holds the lock. */
  nodes?: readonly RedisConnection[];
  /** A hold longer than this, in ms, raises an alert. */
  alertAfterMs?: number;
};

/** A lock, as its holder has it. */
export type Lock = {
  name: string;
  /** Fencing token, higher than that of every earlier holder. The resource that the lock protects refuses lower tokens. */
  fence: number;
  /** Aborts when the lock is lost, at the latest when its time runs out without a renewal. */
  signal: AbortSignal;
  /** How long the lock is certainly still ours, in ms; 0 once it is lost. */
  remainingMs: () => number;
};

export type LockResult<T> = { status: 'done'; value: T } | { status: 'not_acquired' };

/** The abort reason of the signal when a lock was lost. */
export class LockLostError extends Error {
  constructor(name: string) {
    super(`lock ${name} was lost`);
    this.name = 'LockLostError';
  }
}
