import 'server-only';
import { AsyncLocalStorage } from 'node:async_hooks';
import { cacheRedis } from '@/lib/redis/client';
import type { RedisConnection } from '@/lib/redis/connection';
import { keys } from '@/lib/redis/keys';
import { limitMs } from '@/lib/time-limits';
import { acquire } from './acquire';
import { type Hold, startHold } from './hold';
import { recordReentry, recordWait } from './lock-metrics';
import { openMutex } from './mutex';
import type { Lock, LockOptions, LockResult } from './types';

const RETRY_INTERVAL_MS = 50;
export const ALERT_AFTER_MS = 8_000;
const NAME = /^[A-Za-z0-9_.-]{1,64}(:[A-Za-z0-9_.:/-]{1,128})?$/;

type Held = { name: string; nodes: readonly RedisConnection[]; hold: Hold };

/** The locks that the running asynchronous context holds. */
const context = new AsyncLocalStorage<readonly Held[]>();

/**
 * Runs `work` while this process holds the lock `name`. Clocks and Redis can fail, so a resource that needs more must
 * check `lock.fence`.
 *
 * `work` may take the same lock again: within one asynchronous context it gets it at once, with the same fence, and the
 * last to end releases it. So two branches of one context don't exclude each other.
 *
 * @param name `kind:id` or `kind`; metrics are kept per kind.
 * @returns `not_acquired` when another holder had the lock all the time or, over several nodes, no holder won a
 *   majority.
 * @throws the errors of `work`, and connection errors of a single Redis.
 */
export async function withLock<T>(
  name: string,
  options: LockOptions,
  work: (lock: Lock) => Promise<T>,
): Promise<LockResult<T>> {
  check(name, options);
  const nodes = options.nodes ?? [cacheRedis()];
  const outer = context.getStore() ?? [];
  const held = outer.find((one) => one.name === name && isSame(one.nodes, nodes) && one.hold.enter());
  if (held) {
    recordReentry(name);
    return run(held.hold, work);
  }

  const { ttlMs, acquireTimeoutMs = limitMs('lockAcquire'), retryIntervalMs = RETRY_INTERVAL_MS } = options;
  const mutex = openMutex(nodes, keys.lock(name), ttlMs);
  const askedAt = performance.now();
  const got = await acquire(mutex, { nodes, name, ttlMs, acquireTimeoutMs, retryIntervalMs });
  recordWait(name, performance.now() - askedAt, got);
  if (got.status === 'timeout') return { status: 'not_acquired' };

  const { alertAfterMs = ALERT_AFTER_MS } = options;
  const { fence, validUntil } = got;
  const hold = startHold({ mutex, name, fence, ttlMs, validUntil, alertAfterMs });
  return context.run([...outer, { name, nodes, hold }], () => run(hold, work));
}

async function run<T>(hold: Hold, work: (lock: Lock) => Promise<T>): Promise<LockResult<T>> {
  try {
    return { status: 'done', value: await work(hold.lock) };
  } finally {
    await hold.leave();
  }
}

function isSame(a: readonly RedisConnection[], b: readonly RedisConnection[]): boolean {
  return a.length === b.length && a.every((node, i) => node === b[i]);
}

function check(name: string, { ttlMs, nodes }: LockOptions): void {
  if (!NAME.test(name)) throw new TypeError(`not a lock's name: ${name}`);
  if (!(ttlMs >= 50 && ttlMs <= 600_000)) throw new RangeError(`ttlMs is not within 50 … 600,000: ${ttlMs}`);
  if (nodes && nodes.length % 2 === 0) throw new RangeError('the number of nodes must be odd');
}
