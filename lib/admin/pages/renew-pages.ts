import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { env } from '@/lib/env';
import { log } from '@/lib/http/log';
import { pageAddresses } from './page-addresses';
import { prewarmPages, visitAt } from './prewarm-pages';
import { purgeCdn } from './purge-cdn';
import { revalidatePages } from './revalidate-pages';

/**
 * How long a change that pages show waits for them; a product may be in hundreds of sales, and the browser of who
 * changes it waits ten seconds. What is left is made in the background. Tests lengthen it.
 */
export const PAGES_PATIENCE = { ms: 4_000 };

type Renewal = {
  /** Without language; each is renewed in all. */
  paths: string[];
  /** Every page is renewed, and these are visited. */
  isAll?: boolean;
  /** The sales that the pages show, for the CDN. */
  slugs?: readonly string[];
};

/**
 * Renews pages after a change they show. The web processes render them again, this function visits each once in
 * every language, and the CDN forgets its copies. Waits a few seconds at most for the first two; the CDN gets its request
 * in the background.
 */
export async function renewPages({ paths, isAll = false, slugs = [] }: Renewal): Promise<void> {
  const addresses = paths.flatMap(pageAddresses);
  if (await revalidatePages(paths, isAll)) {
    const made = prewarmPages(visitAt(env().serveOrigin), addresses);
    await Promise.race([made, delay(PAGES_PATIENCE.ms, undefined, { ref: false })]);
  }
  // Comes last, so that the CDN then fetches the new pages.
  purgeCdn({ slugs, paths: addresses }).catch((err: unknown) => log.error({ err, paths }, 'purging the CDN'));
}
