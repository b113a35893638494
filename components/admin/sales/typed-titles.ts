import { routing } from '@/i18n/routing';
import type { SaleTitles } from '@/lib/contract/shapes/by-language';

/** Returns the titles that were typed, in the order of the languages. */
export const typedTitles = (titles: SaleTitles): SaleTitles =>
  Object.fromEntries(
    routing.locales.flatMap((locale) => {
      const title = titles[locale]?.trim();
      return title ? [[locale, title]] : [];
    }),
  );
