'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { useLocalDate } from '@/components/ui/use-local-date';

const MINUTE_MS = 60_000;
/** The bar starts from this where the order doesn't say when it was written. */
const USUAL_WINDOW_MS = 15 * MINUTE_MS;

interface DeadlineProps {
  payBy: number;
  createdAt: number | null;
  now: number;
}

/** Shows the time left to pay as a bar, with the moment it ends. Announces once, politely, when one minute is left. */
export function Deadline({ payBy, createdAt, now }: DeadlineProps) {
  const t = useTranslations('Order');
  const localDate = useLocalDate();
  const leftMs = Math.max(0, payBy - now);
  const windowMs = createdAt === null ? USUAL_WINDOW_MS : Math.max(1, payBy - createdAt);
  const share = Math.min(1, leftMs / windowMs);
  const [isSaid, setIsSaid] = useState(false);
  const before = useRef(leftMs);
  useEffect(() => {
    if (before.current > MINUTE_MS && leftMs <= MINUTE_MS) setIsSaid(true);
    before.current = leftMs;
  }, [leftMs]);
  return (
    <div className="grid gap-2">
      <div
        role="progressbar"
        aria-label={t('deadlineBar')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        className="h-2 overflow-hidden rounded-full bg-sunken ring-1 ring-line ring-inset"
      >
        <div className="h-full origin-left bg-warning" style={{ transform: `scaleX(${share})` }} />
      </div>
      <p className="text-muted">
        <time dateTime={new Date(payBy).toISOString()}>
          {t('deadline', { date: localDate(payBy, 'time') })}
        </time>
      </p>
      <p role="status" className="sr-only">
        {isSaid ? t('announceSecondsLeft') : ''}
      </p>
    </div>
  );
}
