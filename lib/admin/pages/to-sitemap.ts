import { alternatesOf } from '@/i18n/alternates';
import { pageAddress } from '@/i18n/page-address';
import { routing } from '@/i18n/routing';
import type { ListedAddress } from './list-addresses';

/**
 * Writes a sitemap as sitemaps.org defines it, each page in every language with links to the others.
 * @param shop the address shoppers see
 */
export function toSitemap(addresses: readonly ListedAddress[], shop: string): string {
  const entries = [{ path: '/', changedAt: null }, ...addresses].flatMap(({ path, changedAt }) => {
    const { languages } = alternatesOf(path, routing.defaultLocale, shop);
    const links = Object.entries(languages ?? {}).map(
      ([language, href]) => `<xhtml:link rel="alternate" hreflang="${language}" href="${href}"/>`,
    );
    const lastChange = changedAt ? `<lastmod>${changedAt.toISOString()}</lastmod>` : '';
    return routing.locales.map(
      (locale) =>
        `<url><loc>${new URL(pageAddress(path, locale), shop).href}</loc>${lastChange}${links.join('')}</url>`,
    );
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...entries,
    '</urlset>\n',
  ].join('\n');
}
