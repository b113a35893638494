import { pageAddress } from '@/i18n/page-address';
import { routing } from '@/i18n/routing';

/** Returns the paths, without language, of the pages that show these sales: the sales' own pages, the list, and their campaign's. */
export const salePagePaths = (slugs: readonly string[], campaign?: string): string[] => [
  '/',
  ...(campaign === undefined ? [] : [`/campaigns/${campaign}`]),
  ...slugs.map((slug) => `/sales/${slug}`),
];

/** Returns the addresses of a page, one per language. */
export function pageAddresses(path: string): string[] {
  return routing.locales.map((locale) => pageAddress(path, locale));
}
