import { defineRouting } from 'next-intl/routing';

/**
 * The languages there are. The default has no prefix in the address (`next.config.ts` rewrites it), the others do.
 * A new language is its code here and a file in `messages/`.
 */
export const routing = defineRouting({
  locales: ['en', 'zh-CN'],
  defaultLocale: 'en',
  localePrefix: 'as-needed',
  // The address alone decides: a cookie would make static pages differ from shopper to shopper.
  localeCookie: false,
});

export type Locale = (typeof routing.locales)[number];
