'use client';

import { useLocale, useTranslations } from 'next-intl';

/** Puts ages and rates in words. */
export function useQueueWords() {
  const t = useTranslations('AdminQueues');
  const locale = useLocale();
  /** Shows one decimal below ten seconds, and minutes from two minutes on. */
  const age = (ms: number) => {
    if (ms === 0) return '–';
    const seconds = ms / 1000;
    if (seconds < 120)
      return t('seconds', { count: seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds) });
    return t('minutes', { count: Math.round(seconds / 60) });
  };
  const rate = (perSec: number | null) =>
    perSec === null ? '–' : new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(perSec);
  return { age, rate };
}
