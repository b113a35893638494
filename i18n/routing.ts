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

export type Locale = (typeof routing.locales)[number];
