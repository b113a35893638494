'use client';

import { useTranslations } from 'next-intl';
import { Notice } from '@/components/ui/notice';
import { useLocalDate } from '@/components/ui/use-local-date';
import { useNow } from './use-now';

/** Figures older than this many ms are called stale: three seconds have passed without any. */
const STALE_AFTER_MS = 4000;

/**
 * Says since when there have been no fresh figures. It stands above everything else on the screen.
 * @param freshAt device time, epoch ms
 */
export function StaleNotice({ freshAt }: { freshAt: number }) {
  const t = useTranslations('AdminLive');
  const localDate = useLocalDate();
  const now = useNow();
  if (now - freshAt < STALE_AFTER_MS) return null;
  const time = localDate(freshAt, 'time');
  return (
    <div className="fixed inset-x-4 bottom-4 z-30 mx-auto max-w-xl">
      <Notice tone="warning" className="shadow-card">
        {/* Announced once: a screen reader would read the ticking line again every second. */}
        <p role="alert" className="sr-only">
          {t('staleAlert', { time })}
        </p>
        <p className="tabular-nums">{t('stale', { seconds: Math.round((now - freshAt) / 1000), time })}</p>
      </Notice>
    </div>
  );
}
