import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import type { RedisConnection } from '@/lib/redis/connection';
import { issueFence } from './issue-fence';
import type { Mutex } from './mutex';

const DRIFT_FACTOR = 0.01;
const DRIFT_MS = 2;

type Acquired = { status: 'acquired'; fence: number; validUntil: number; attempts: number };
export type AcquireResult = Acquired | { status: 'timeout'; attempts: number };

type AcquireOptions = {
  nodes: readonly RedisConnection[];
  name: string;
  ttlMs: number;
  acquireTimeoutMs: number;
  retryIntervalMs: number;
};

/**
 * Returns the time until which the lock is certainly ours: its time to live, counted from before the command was sent
 * (`sinceMs`), minus the possible drift between clocks. Uses the monotonic clock, which goes on while the process is
 * stopped. (Redlock: redis.io, "Distributed locks with Redis")
 */
export const validUntil = (sinceMs: number, ttlMs: number): number =>
  sinceMs + ttlMs - (ttlMs * DRIFT_FACTOR + DRIFT_MS);

/**
 * Tries again and again until the lock is ours or the time is up. If acquiring took as long as the lock lives, gives
 * the lock back and answers that it was not acquired.
 * @throws connection errors of a single Redis, after withdrawing the claim.
 */
export async function acquire(mutex: Mutex, options: AcquireOptions): Promise<AcquireResult> {
  const { nodes, ttlMs, acquireTimeoutMs, retryIntervalMs } = options;
  const giveUpAt = performance.now() + acquireTimeoutMs;
  for (let attempts = 1; ; attempts += 1) {
    const startedAt = performance.now();
    const fence = await tryOnce(mutex, options);
    if (fence !== null) {
      const until = validUntil(startedAt, ttlMs);
      if (performance.now() < until) return { status: 'acquired', fence, validUntil: until, attempts };
      await mutex.withdraw();
    }
    const waitMs = nodes.length === 1 ? retryIntervalMs : retryIntervalMs * (0.5 + Math.random());
    if (performance.now() + waitMs > giveUpAt) return { status: 'timeout', attempts };
    await delay(waitMs);
  }
}

async function tryOnce(mutex: Mutex, { nodes, name }: AcquireOptions): Promise<number | null> {
  try {
    if (!(await mutex.tryAcquire())) return null;
    const fence = await issueFence(nodes, name, mutex.identifier);
    if (fence === null) await mutex.withdraw();
    return fence;
  } catch (error) {
    // Redis may have carried out a command that timed out for us. We don't wait for the withdrawal, because the claim
    // also expires by itself.
    mutex.withdraw().catch(() => undefined);
    throw error;
  }
}
