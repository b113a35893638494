import { setTimeout as sleep } from 'node:timers/promises';

/** Waits `ms`, or less if `signal` fires; never throws. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}
