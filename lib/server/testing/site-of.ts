import { createSiteMap, MISSING_PAGE, type SiteMap } from '../site-map';

/** For tests: a site of these pages and files, and no interfaces. */
export const siteOf = (pages: string[], files: string[] = []): SiteMap =>
  createSiteMap({ pages: [...pages, MISSING_PAGE], interfaces: [], redirects: [], files });
