import { hasLocale } from 'next-intl';
import { getRequestConfig } from 'next-intl/server';
import { routing } from './routing';

/** Provides the messages and settings of one request; pages are static, so this runs when a page is generated. */
export default getRequestConfig(async ({ requestLocale }) => {
  const requested = await requestLocale;
  const locale = hasLocale(routing.locales, requested) ? requested : routing.defaultLocale;
  return {
    locale,
    messages: (await import(`../messages/${locale}.json`)).default,
    // A page is generated once for all visitors; each browser converts instants to its own time zone (see LocalTime).
    timeZone: 'UTC',
  };
});
