import { type Locale, routing } from './routing';

/** Returns a page's address in a language: the default language has no prefix. @param path without language */
export function pageAddress(path: string, locale: Locale): string {
  if (locale === routing.defaultLocale) return path;
  return `/${locale}${path === '/' ? '' : path}`;
}
