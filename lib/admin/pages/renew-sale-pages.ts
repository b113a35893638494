import 'server-only';
import { env } from '@/lib/env';
import { log } from '@/lib/http/log';
import { pageAddresses, salePagePaths } from './page-addresses';
import { prewarmPages, visitAt } from './prewarm-pages';
import { purgeCdn } from './purge-cdn';
import { revalidatePages } from './revalidate-pages';

/**
 * After a change that pages show: the web processes make them anew, they are visited once in every language, and the CDN
 * is told to forget its copies. Waits for the first two; the CDN is told in the background.
 * @param slugs of the sales concerned
 */
export async function renewSalePages(slugs: readonly string[]): Promise<void> {
  const paths = salePagePaths(slugs);
  const addresses = paths.flatMap(pageAddresses);
  if (await revalidatePages(paths)) await prewarmPages(visitAt(env().serveOrigin), addresses);
  // After the others: what the CDN asks for next is new.
  purgeCdn({ slugs, paths: addresses }).catch((err: unknown) => log.error({ err, slugs }, 'purging the CDN'));
}
