import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { luaScript } from './lua';

export const LOCK_KEY = 'lab:{sale}:lock';
/** Far longer than any holder works here: an expiry in the middle would be another experiment. */
export const LOCK_TTL_MS = 5_000;
/** The articles' figures for a lock that waits. */
const SPIN_LIMIT_MS = 500;
export const SPIN_PAUSE_MS = 50;

export const unlock = luaScript('unlock-1');

/** `SET key token NX PX`. @returns the token that releases it, or null while somebody else holds it. */
export async function tryLock(redis: Redis): Promise<string | null> {
  const token = randomUUID();
  return (await redis.set(LOCK_KEY, token, 'PX', LOCK_TTL_MS, 'NX')) ? token : null;
}

/** Releases by a script that compares the token first, so that a late holder can't open its successor's lock. */
export async function release(redis: Redis, token: string): Promise<void> {
  await unlock.run(redis, LOCK_KEY, token);
}

/**
 * Asks for a lock until it is given, for at most `SPIN_LIMIT_MS`, `SPIN_PAUSE_MS` apart.
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
