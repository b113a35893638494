import 'server-only';
import { isOutage } from '@/lib/errors/is-outage';
import { cacheRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { runScript } from '@/lib/redis/run-script';

/**
 * While Redis is down it is probed once a second, in the background, so that no caller waits: a failing command takes
 * up to 0.9 s, one to a Redis that hangs 2 s.
 */
const REST_MS = 1_000;

let isDown = false;
let restUntil = Number.NEGATIVE_INFINITY;

/** A cached value; null = known not to exist. */
type Shared<T> = { status: 'hit'; value: T | null } | { status: 'miss' } | { status: 'down' };

/** The key of a cached value, and the lock whose fence guards it: both in one slot. */
export type SharedKey = { key: string; lock: string };

/** Asks Redis for a value. `down` = unknown; the caller goes on without Redis. */
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
 * Stores the value that the holder of the lock has built.
 * @returns `outdated` if the source changed or another rebuild began meanwhile: then nothing is stored.
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

/** Drops a value and refuses the results of rebuilds under way. @throws connection errors */
export async function forgetShared({ key, lock }: SharedKey): Promise<void> {
  const [status] = await runScript(cacheRedis(), 'forget-cached-2', [key, keys.lockFence(lock)], []);
  if (status !== 'forgotten') throw new Error(`forget-cached-2 answered ${status}`);
}
