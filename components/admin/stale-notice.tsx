'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { Notice } from '@/components/ui/notice';
import { useLocalDate } from '@/components/ui/use-local-date';

/** Numbers older than this are called stale, ms: three polls of a second that went wrong. */
const STALE_AFTER_MS = 3000;

/** Says since when there are no fresh numbers. @param freshAt device time of the last good answer, 0 = never */
export function StaleNotice({ hasFailed, freshAt }: { hasFailed: boolean; freshAt: number }) {
  const t = useTranslations('Admin');
  const errors = useTranslations('Errors');
  const localDate = useLocalDate();
  const [now, setNow] = useState(freshAt);
  useEffect(() => {
    if (!hasFailed) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [hasFailed]);
  if (!hasFailed) return null;
  if (freshAt === 0) return <Notice tone="warning">{errors('NETWORK')}</Notice>;
  if (now - freshAt < STALE_AFTER_MS) return null;
  return (
    <Notice tone="warning">
      {/* Said once: a screen reader would read the ticking line again every second. */}
      <p role="alert" className="sr-only">
        {errors('UNAVAILABLE')}
      </p>
      {t('staleSince', { seconds: Math.round((now - freshAt) / 1000), time: localDate(freshAt, 'time') })}
    </Notice>
  );
}
