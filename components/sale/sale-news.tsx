'use client';

import { useTranslations } from 'next-intl';
import { Notice } from '@/components/ui/notice';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { SaleState } from '@/lib/contract/shapes/sale';
import type { SaleAdmission } from '@/lib/contract/words/sale';
import { useStartMoved } from './use-start-moved';

interface SaleNewsProps {
  admission: SaleAdmission;
  state: SaleState | null;
  /** Server time, epoch ms; null until known. */
  now: number | null;
  startsAt: number;
  /** True if another part of the page says that the sale is paused. */
  isPauseShown: boolean;
}

/** Says what the merchant changed under the eyes of people who wait: the sale is paused, or starts at another time. */
export function SaleNews({ admission, state, now, startsAt, isPauseShown }: SaleNewsProps) {
  const t = useTranslations('Sale');
  const next = useTranslations('Next');
  const localDate = useLocalDate();
  const isMoved = useStartMoved(startsAt, now);
  const isBefore = state?.status === 'scheduled';
  const isPaused = state?.paused && state.status !== 'ended' && !isPauseShown;
  // It is there from the first, because a screen reader says only what comes into a region that it knows.
  return (
    <div aria-live="polite" className="grid gap-3 empty:absolute">
      {isPaused ? <Notice tone="warning">{isBefore ? t('pausedBefore') : next('paused')}</Notice> : null}
      {isMoved && isBefore ? (
        <Notice tone="info">{t('startMoved', { date: localDate(startsAt), admission })}</Notice>
      ) : null}
    </div>
  );
}
