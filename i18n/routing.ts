import { defineRouting } from 'next-intl/routing';

/** Each language in its own name. A new one needs its line here and a file in `messages/`. */
export const LANGUAGES = {
  en: 'English',
  'zh-CN': '简体中文',
  'zh-TW': '繁體中文',
  ru: 'Русский',
} as const;

export type Locale = keyof typeof LANGUAGES;

/** The default language has no prefix in the address (`next.config.ts` rewrites it), the others do. */
export const routing = defineRouting({
  locales: Object.keys(LANGUAGES) as Locale[],
  defaultLocale: 'en',
  localePrefix: 'as-needed',
  // Only the address decides: with a cookie, static pages would differ from shopper to shopper.
  localeCookie: false,
});
