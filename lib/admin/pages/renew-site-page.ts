import 'server-only';
import type { SitePage } from '@/lib/contract/words/site-page';
import { renewPages } from './renew-pages';

/**
 * Renews a page of the footer, as `renewPages` does.
 * @param isFooterNew the page was written for the first time or taken back: every page shows another footer
 */
export const renewSitePage = (page: SitePage, isFooterNew: boolean): Promise<void> =>
  renewPages({ paths: ['/', `/info/${page}`], isAll: isFooterNew });
