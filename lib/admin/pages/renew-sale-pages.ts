import 'server-only';
import { salePagePaths } from './page-addresses';
import { renewPages } from './renew-pages';

/**
 * Renews the pages that show sales, as `renewPages` does.
 * @param slugs of the sales concerned. @param campaign the slug of their campaign, whose page shows them
 */
export const renewSalePages = (slugs: readonly string[], campaign?: string): Promise<void> =>
  renewPages({ paths: salePagePaths(slugs, campaign), slugs });
