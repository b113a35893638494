import 'server-only';
import { randomUUID } from 'node:crypto';
import { stockRedis } from '@/lib/redis/client';
import { channels } from '@/lib/redis/keys';

type Local = { id: string; forget?: (paths?: readonly string[]) => void };

// The fast lane keeps the pages, Next's bundle is where they are renewed: two copies of this module in one process.
const holder = globalThis as typeof globalThis & { seckillPages?: Local };

export function localPages(): Local {
  holder.seckillPages ??= { id: randomUUID() };
  return holder.seckillPages;
}

/** Makes this process's fast lane forget pages; nothing without a fast lane. */
export function forgetPages(paths?: readonly string[]): void {
  localPages().forget?.(paths);
}

/** Tells the other web processes to renew pages. `paths` are without language. Redis away: they do when it is back. */
export async function announcePages(paths: readonly string[]): Promise<void> {
  const message = JSON.stringify({ from: localPages().id, paths });
  await stockRedis()
    .publish(channels.pagesChanged, message)
    .catch(() => 0);
}
