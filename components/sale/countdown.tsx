'use client';

import { useTranslations } from 'next-intl';
import { countdownParts } from '@/components/clock/countdown-parts';
import { cn } from '@/components/ui/cn';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { SalePhase } from './sale-phase';

interface CountdownProps {
  phase: SalePhase;
  /** Server time, epoch ms; null until known. */
  now: number | null;
  startsAt: number;
  endsAt: number;
  /** When the static page was made, epoch ms: until the time is known, this says whether the figures need days. */
  madeAt?: number;
}

const LABELS = {
  before: 'countdownToStart',
  opening: 'countdownOpening',
  running: 'countdownToEnd',
  soldOut: 'backUntil',
  over: 'countdownOver',
} as const;

const twoDigits = (value: number | undefined) =>
  value === undefined ? '––' : String(value).padStart(2, '0');

const CELL = 'grid min-w-0 flex-1 justify-items-center rounded-xl bg-sunken px-2 py-3';

/**
 * Shows the time left until the start, or until the end, in large figures with the local date below. The figures are
 * no live region: Announcer speaks at the moments that matter.
 */
export function Countdown({ phase, now, startsAt, endsAt, madeAt }: CountdownProps) {
  const t = useTranslations('Sale');
  const localDate = useLocalDate();
  const target = phase === 'before' || phase === 'opening' ? startsAt : endsAt;
  const parts = now === null ? null : countdownParts(phase === 'over' ? 0 : target - now);
  const days = parts?.days ?? (madeAt === undefined ? 0 : countdownParts(target - madeAt).days);
  const cells = [
    ...(days > 0 ? [{ unit: t('days', { count: days }), figure: String(days) }] : []),
    { unit: t('hours'), figure: twoDigits(parts?.hours) },
    { unit: t('minutes'), figure: twoDigits(parts?.minutes) },
    { unit: t('seconds'), figure: twoDigits(parts?.seconds) },
  ];
  const dateLabel = phase === 'over' ? 'endedOn' : target === endsAt ? 'endsOn' : 'startsOn';
  return (
    <section aria-label={t(LABELS[phase])} className="grid gap-2">
      <p className="font-medium text-muted">{t(LABELS[phase])}</p>
      {phase === 'soldOut' ? (
        // As high as the figures: units that come back bring them back.
        <p className={cn(CELL, 'h-22 content-center font-semibold text-xl tabular-nums sm:h-25')}>
          {localDate(endsAt, 'short')}
        </p>
      ) : (
        <div role="timer" aria-label={t('timerLabel')} className="flex gap-2 sm:gap-3">
          {cells.map(({ unit, figure }) => (
            <div key={unit} className={CELL}>
              <span className="font-bold text-4xl leading-none tracking-tight tabular-nums sm:text-5xl">
                {figure}
              </span>
              <span className="mt-2 text-muted text-sm">{unit}</span>
            </div>
          ))}
        </div>
      )}
      <p className="text-muted">
        <time dateTime={new Date(target).toISOString()}>{t(dateLabel, { date: localDate(target) })}</time>
      </p>
    </section>
  );
}
