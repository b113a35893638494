import 'server-only';

// The web process holds this module twice (fast path and Next's bundle); both sell from one Redis.
const holder = globalThis as typeof globalThis & { seckillNewServer?: { check: () => Promise<void> } };

/** Says what has to be made sure of before anything is sold by a Redis that was started a moment ago. */
export function onNewServer(check: () => Promise<void>): void {
  holder.seckillNewServer = { check };
}

/** Makes sure of it; nothing if nobody said what. @throws as the check: nothing may be sold yet. */
export const checkNewServer = async (): Promise<void> => holder.seckillNewServer?.check();
