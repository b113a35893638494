'use client';

import { useLocale, useTranslations } from 'next-intl';
import { type DateStyle, formatDate } from './format-date';
import { useIsClient } from './use-is-client';

/**
 * Formats instants in the reader's own time zone. The static page, the same for every visitor, shows UTC until it
 * hydrates.
 */
export function useLocalDate(): (epochMs: number, style?: DateStyle) => string {
  const locale = useLocale();
  const t = useTranslations('Common');
  const isClient = useIsClient();
  return (epochMs, style = 'full') =>
    isClient
      ? formatDate(epochMs, locale, style)
      : t('utc', { date: formatDate(epochMs, locale, style, 'UTC') });
}
