import type { Metadata } from 'next';
import { pageAddress } from './page-address';
import { type Locale, routing } from './routing';

/**
 * Tells search engines a page's one address and where it stands in the other languages. Only for pages made at run
 * time: while building, nobody knows the shop's address.
 * @param path without language @param shop the address shoppers see: scheme, host and port
 */
export function alternatesOf(
  path: string,
  locale: Locale,
  shop: string,
): NonNullable<Metadata['alternates']> {
  const at = (other: Locale) => new URL(pageAddress(path, other), shop).href;
  return {
    canonical: at(locale),
    languages: {
      ...Object.fromEntries(routing.locales.map((other) => [other, at(other)])),
      'x-default': at(routing.defaultLocale),
    },
  };
}
