'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Notice } from '@/components/ui/notice';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { SaleState } from '@/lib/contract/shapes/sale';
import type { SaleAdmission } from '@/lib/contract/words/sale';

interface SaleNewsProps {
  admission: SaleAdmission;
  state: SaleState | null;
  /** Server time, epoch ms; null until known. */
  now: number | null;
  startsAt: number;
  /** Whether another part of the page says that the sale is paused. */
  isPauseShown: boolean;
}

/** Says what the merchant changed under the eyes of people who wait: the sale is paused, or starts at another time. */
export function SaleNews({ admission, state, now, startsAt, isPauseShown }: SaleNewsProps) {
  const t = useTranslations('Sale');
  const next = useTranslations('Next');
  const localDate = useLocalDate();
  const [seen, setSeen] = useState({ startsAt, isMoved: false });
  // A start that had passed was not moved: the demo's sales start again.
  if (seen.startsAt !== startsAt) setSeen({ startsAt, isMoved: now !== null && now < seen.startsAt });
  const isBefore = state?.status === 'scheduled';
  const isPaused = state?.paused && state.status !== 'ended' && !isPauseShown;
  if (!isPaused && !(seen.isMoved && isBefore)) return null;
  return (
    <div className="grid gap-3">
      {isPaused ? (
        <Notice tone="warning" role="status">
          {isBefore ? t('pausedBefore') : next('paused')}
        </Notice>
      ) : null}
      {seen.isMoved && isBefore ? (
        <Notice tone="info" role="status">
          {t('startMoved', { date: localDate(startsAt), admission })}
        </Notice>
      ) : null}
    </div>
  );
}
