import { processWide } from '@/lib/process-wide';
import 'server-only';
import { randomUUID } from 'node:crypto';
import { prewarmPages } from '@/lib/pages/prewarm-pages';
import { stockRedis } from '@/lib/redis/client';
import { channels } from '@/lib/redis/keys';

type Local = {
  /** Identifies this process in its announcements. */
  id: string;
  /** Lets this process's Next answer a page. */
  visit?: (address: string) => Promise<boolean>;
};

const local = processWide('pages', (): Local => ({ id: randomUUID() }));

/** Returns this process's part in renewing pages: Next's bundle renews them, ours follows the other processes. */
export const localPages = (): Local => local;

/** The message from Next's process to the fast path's. */
export type ForgetPages = { type: 'forget-pages'; paths?: readonly string[] };

/**
 * Makes the fast path in front of this process forget pages, all of them without `paths`; does nothing without a fast
 * path.
 */
export function forgetPages(paths?: readonly string[]): void {
  const message: ForgetPages = { type: 'forget-pages', paths };
  // The process in front may have been killed a moment ago: then this one is about to end, too.
  if (process.connected) process.send?.(message);
}

/** Lets this process's Next make forgotten pages again before a visitor asks for them. */
export async function warmPages(addresses: readonly string[]): Promise<void> {
  const { visit } = localPages();
  if (visit) await prewarmPages(visit, addresses);
}

/**
 * Tells the other web processes to renew pages. `paths` are without language. While Redis is away they get no
 * message; they renew all pages when it is back.
 */
export async function announcePages(paths: readonly string[]): Promise<void> {
  const message = JSON.stringify({ from: localPages().id, paths });
  await stockRedis()
    .publish(channels.pagesChanged, message)
    .catch(() => 0);
}
