import 'server-only';
import { env } from '@/lib/env';
import { log } from '@/lib/http/log';
import { pageAddresses, salePagePaths } from './page-addresses';
import { purgeCdn } from './purge-cdn';

/**
 * Lets the CDN forget what shows these sales, in the background: for a change that pages do not show, but the state
 * does. A CDN that knows no tags keeps no state longer than a second, and is told nothing.
 */
export function forgetAtCdn(slugs: readonly string[]): void {
  if (!env().cdn) return;
  const paths = salePagePaths(slugs).flatMap(pageAddresses);
  purgeCdn({ slugs, paths }).catch((err: unknown) => log.error({ err, slugs }, 'purging the CDN'));
}
