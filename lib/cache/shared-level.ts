import 'server-only';
import { isOutage } from '@/lib/errors/is-outage';
import { cacheRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { runScript } from '@/lib/redis/run-script';

/**
 * While Redis is down it is asked once a second, by nobody who waits for it: a failing command takes up to 0.9 s, one to a
 * Redis that hangs 2 s.
 */
const REST_MS = 1_000;

let isDown = false;
let restUntil = Number.NEGATIVE_INFINITY;

/** A cached value; null = known not to exist. */
type Shared<T> = { status: 'hit'; value: T | null } | { status: 'miss' } | { status: 'down' };

/** Where a cached value lies, and the lock whose fence guards it: both in one slot. */
export type SharedKey = { key: string; lock: string };

/** Asks Redis for a value. `down` = can't say, go on without. */
export async function readShared<T>({ key }: SharedKey): Promise<Shared<T>> {
  if (isDown) {
    void probe();
    return { status: 'down' };
  }
  try {
    const text = await cacheRedis().get(key);
    return text === null ? { status: 'miss' } : { status: 'hit', value: JSON.parse(text) as T | null };
  } catch (error) {
    if (!isOutage(error)) throw error;
    isDown = true;
    restUntil = performance.now() + REST_MS;
    return { status: 'down' };
  }
}

async function probe(): Promise<void> {
  if (performance.now() < restUntil) return;
  restUntil = Number.POSITIVE_INFINITY;
  isDown = await cacheRedis()
    .ping()
    .then(
      () => false,
      () => true,
    );
  restUntil = performance.now() + REST_MS;
}

/**
 * Stores what the holder of the lock has built.
 * @returns `outdated` when the source changed or another rebuild began meanwhile: nothing is stored then.
 */
export async function putShared<T>(
  { key, lock }: SharedKey,
  value: T | null,
  fence: number,
  ttlSec: number,
): Promise<'stored' | 'outdated'> {
  const [status] = await runScript(
    cacheRedis(),
    'put-cached-2',
    [key, keys.lockFence(lock)],
    [fence, ttlSec, JSON.stringify(value)],
  );
  if (status === 'stored' || status === 'outdated') return status;
  throw new Error(`put-cached-2 answered ${status}`);
}

/** Drops a value and refuses what rebuilds under way will bring. @throws connection errors */
export async function forgetShared({ key, lock }: SharedKey): Promise<void> {
  const [status] = await runScript(cacheRedis(), 'forget-cached-2', [key, keys.lockFence(lock)], []);
  if (status !== 'forgotten') throw new Error(`forget-cached-2 answered ${status}`);
}
