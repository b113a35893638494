'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { formatShort } from '@/components/clock/countdown-parts';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';

type Props = {
  /** When the visitor's turn probably comes, by the clock of `performance.now`, ms. */
  turnAt: number;
  onLeave: () => void;
};

/**
 * Tells people in the password queue when their turn comes, and lets them leave. A screen reader reads it once, with
 * the first time announced; only the visible figures tick.
 */
export function QueueNotice({ turnAt, onLeave }: Props) {
  const t = useTranslations('Auth');
  const [now, setNow] = useState(() => performance.now());
  const [firstLeftMs] = useState(turnAt - now);
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, []);
  const words = (leftMs: number) => (leftMs > 0 ? t('line', { time: formatShort(leftMs) }) : t('lineSoon'));
  return (
    <div className="grid gap-3">
      <Notice role="status">
        <span className="sr-only">{words(firstLeftMs)}</span>
        <span aria-hidden="true" className="tabular-nums">
          {words(turnAt - now)}
        </span>
      </Notice>
      <Button onClick={onLeave}>{t('leaveLine')}</Button>
    </div>
  );
}
