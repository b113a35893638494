import { defineRouting } from 'next-intl/routing';

/**
 * The shop's languages. The default one has no prefix in the address (`next.config.ts` rewrites it), the others do. A
 * new language needs its code here and a file in `messages/`.
 */
export const routing = defineRouting({
  locales: ['en', 'zh-CN'],
  defaultLocale: 'en',
  localePrefix: 'as-needed',
  // Only the address decides: with a cookie, static pages would differ from shopper to shopper.
  localeCookie: false,
});

/** Each language in its own name, the same on pages of every language. */
export const LANGUAGE_NAMES = { en: 'English', 'zh-CN': '中文' } as const;

export type Locale = (typeof routing.locales)[number];
