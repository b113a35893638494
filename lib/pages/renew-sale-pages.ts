import 'server-only';
import { env } from '@/lib/env';
import { log } from '@/lib/http/log';
import { pageAddresses, salePagePaths } from './page-addresses';
import { prewarmPages, visitAt } from './prewarm-pages';
import { purgeCdn } from './purge-cdn';
import { revalidatePages } from './revalidate-pages';

/**
 * Renews the pages after a change they show. The web processes render them again, this function visits each once in
 * every language, and the CDN forgets its copies. Waits for the first two; the CDN gets its request in the
 * background.
 * @param slugs of the sales concerned. @param campaign the slug of their campaign, whose page shows them
 */
export async function renewSalePages(slugs: readonly string[], campaign?: string): Promise<void> {
  const paths = salePagePaths(slugs, campaign);
  const addresses = paths.flatMap(pageAddresses);
  if (await revalidatePages(paths)) await prewarmPages(visitAt(env().serveOrigin), addresses);
  // Comes last, so that the CDN then fetches the new pages.
  purgeCdn({ slugs, paths: addresses }).catch((err: unknown) => log.error({ err, slugs }, 'purging the CDN'));
}
