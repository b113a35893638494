import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { luaScript } from './lua';

export const LOCK_KEY = 'lab:{sale}:lock';
/** Far longer than any holder works here: a lock that expires during the work would be another experiment. */
export const LOCK_TTL_MS = 5_000;
/** The wait that the articles use for a lock with retries. */
const SPIN_LIMIT_MS = 500;
export const SPIN_PAUSE_MS = 50;

export const unlock = luaScript('unlock-1');

/**
 * Tries to take the lock with `SET key token NX PX`.
 * @returns the token that releases it, or null while another holder has it.
 */
export async function tryLock(redis: Redis): Promise<string | null> {
  const token = randomUUID();
  return (await redis.set(LOCK_KEY, token, 'PX', LOCK_TTL_MS, 'NX')) ? token : null;
}

/**
 * Releases the lock by a script that compares the token first, so that a late holder can't release its successor's
 * lock.
 */
export async function release(redis: Redis, token: string): Promise<void> {
  await unlock.run(redis, LOCK_KEY, token);
}

/**
 * Tries to take a lock for at most `SPIN_LIMIT_MS`, every `SPIN_PAUSE_MS`.
 * @param pauseMs how long to wait before the next try.
 * @returns null when the time is up.
 */
export async function spin<T>(
  tryOnce: () => Promise<T | null>,
  pauseMs: () => number = () => SPIN_PAUSE_MS,
): Promise<T | null> {
  const deadline = performance.now() + SPIN_LIMIT_MS;
  for (;;) {
    const lock = await tryOnce();
    if (lock !== null) return lock;
    const pause = pauseMs();
    if (performance.now() + pause > deadline) return null;
    await sleep(pause);
  }
}
