import { createSiteMap, MISSING_PAGE, type SiteMap } from '../site-map';

/** For tests: makes a site of these pages, files and interfaces. */
export const siteOf = (pages: string[], files: string[] = [], interfaces: string[] = []): SiteMap =>
  createSiteMap({ pages: [...pages, MISSING_PAGE], interfaces, redirects: [], files });
