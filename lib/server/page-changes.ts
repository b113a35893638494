import { processWide } from '@/lib/process-wide';
import 'server-only';
import { randomUUID } from 'node:crypto';
import { prewarmPages } from '@/lib/admin/pages/prewarm-pages';
import { stockRedis } from '@/lib/redis/client';
import { channels } from '@/lib/redis/keys';

type Local = {
  /** Names this process in what it announces. */
  id: string;
  /** Has this process's Next answer a page. */
  visit?: (address: string) => Promise<boolean>;
};

const local = processWide('pages', (): Local => ({ id: randomUUID() }));

/** What this process says of its pages: Next's bundle renews them, ours follows the other processes. */
export const localPages = (): Local => local;

/** What Next's process tells the fast path's. */
export type ForgetPages = { type: 'forget-pages'; paths?: readonly string[] };

/** Makes the fast path in front of this process forget pages, all of them without `paths`; nothing without a fast path. */
export function forgetPages(paths?: readonly string[]): void {
  const message: ForgetPages = { type: 'forget-pages', paths };
  // Whoever is in front may have been killed a moment ago: this process is about to end, too.
  if (process.connected) process.send?.(message);
}

/** Has this process's Next make pages that were forgotten, before somebody asks for them. */
export async function warmPages(addresses: readonly string[]): Promise<void> {
  const { visit } = localPages();
  if (visit) await prewarmPages(visit, addresses);
}

/** Tells the other web processes to renew pages. `paths` are without language. Redis away: they do when it is back. */
export async function announcePages(paths: readonly string[]): Promise<void> {
  const message = JSON.stringify({ from: localPages().id, paths });
  await stockRedis()
    .publish(channels.pagesChanged, message)
    .catch(() => 0);
}
