import { pageAddress } from '@/i18n/page-address';
import { routing } from '@/i18n/routing';

/** The paths, without language, of the pages that show these sales: their own and the list. */
export const salePagePaths = (slugs: readonly string[]): string[] => [
  '/',
  ...slugs.map((slug) => `/sales/${slug}`),
];

/** Under which addresses a page is seen, one per language. */
export function pageAddresses(path: string): string[] {
  return routing.locales.map((locale) => pageAddress(path, locale));
}
