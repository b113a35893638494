'use client';

import { useTranslations } from 'next-intl';
import { formatShort } from '@/components/clock/countdown-parts';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { SalePhase } from './sale-phase';

/**
 * Holds a sale's button. Below the width of two columns it stands at the bottom of the screen, where the page keeps
 * room for it (`app/globals.css`); empty, it takes none.
 */
export const BUY_BAR = 'buy-bar outline-none';

const DAY_MS = 86_400_000;

interface BarLineProps {
  phase: SalePhase;
  /** Server time, epoch ms; null until known. */
  now: number | null;
  startsAt: number;
  endsAt: number;
}

/** Repeats the countdown in one line above the button that stays on a phone's screen; screen readers have it already. */
export function BarLine({ phase, now, startsAt, endsAt }: BarLineProps) {
  const t = useTranslations('Sale');
  const localDate = useLocalDate();
  const text = () => {
    if (phase === 'before' || phase === 'opening')
      return t('startsOn', { date: localDate(startsAt, 'short') });
    if (phase === 'soldOut') return `${t('backUntil')} ${localDate(endsAt, 'short')}`;
    if (phase === 'over') return t('endedOn', { date: localDate(endsAt, 'short') });
    const leftMs = endsAt - (now ?? endsAt);
    return leftMs < DAY_MS
      ? `${t('countdownToEnd')} ${formatShort(leftMs)}`
      : t('endsOn', { date: localDate(endsAt, 'short') });
  };
  return (
    <p aria-hidden="true" className="buy-bar-line">
      {text()}
    </p>
  );
}
