import { hasLocale } from 'next-intl';
import { getRequestConfig } from 'next-intl/server';
import { routing } from './routing';

/** Messages and settings of one request; pages are static, so this runs when a page is generated. */
export default getRequestConfig(async ({ requestLocale }) => {
  const requested = await requestLocale;
  const locale = hasLocale(routing.locales, requested) ? requested : routing.defaultLocale;
  return {
    locale,
    messages: (await import(`../messages/${locale}.json`)).default,
    // Pages are generated once for everybody; each browser puts instants into its own time zone (see LocalTime).
    timeZone: 'UTC',
  };
});
