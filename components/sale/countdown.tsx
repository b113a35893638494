'use client';

import { useTranslations } from 'next-intl';
import { countdownParts } from '@/components/clock/countdown-parts';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { CountdownPhase } from './countdown-phase';

interface CountdownProps {
  phase: CountdownPhase;
  /** Server time, epoch ms; null until known. */
  now: number | null;
  startsAt: number;
  endsAt: number;
}

const LABELS = {
  before: 'countdownToStart',
  opening: 'countdownOpening',
  running: 'countdownToEnd',
  over: 'countdownOver',
} as const;

const twoDigits = (value: number | undefined) =>
  value === undefined ? '––' : String(value).padStart(2, '0');

/**
 * Shows the time left until the start, or until the end, in large figures with the local date below. The figures are
 * no live region: Announcer speaks at the moments that matter.
 */
export function Countdown({ phase, now, startsAt, endsAt }: CountdownProps) {
  const t = useTranslations('Sale');
  const localDate = useLocalDate();
  const target = phase === 'before' || phase === 'opening' ? startsAt : endsAt;
  const parts = now === null ? null : countdownParts(phase === 'over' ? 0 : target - now);
  const hasDays = (parts?.days ?? 0) > 0;
  const cells = [
    ...(hasDays && parts ? [{ unit: t('days', { count: parts.days }), figure: String(parts.days) }] : []),
    { unit: t('hours'), figure: twoDigits(parts?.hours) },
    { unit: t('minutes'), figure: twoDigits(parts?.minutes) },
    { unit: t('seconds'), figure: twoDigits(parts?.seconds) },
  ];
  const dateLabel = phase === 'over' ? 'endedOn' : phase === 'running' ? 'endsOn' : 'startsOn';
  return (
    <section aria-label={t(LABELS[phase])} className="grid gap-2">
      <p className="font-medium text-muted">{t(LABELS[phase])}</p>
      <div role="timer" aria-label={t('timerLabel')} className="flex gap-2 sm:gap-3">
        {cells.map(({ unit, figure }) => (
          <div key={unit} className="grid min-w-0 flex-1 justify-items-center rounded-xl bg-sunken px-2 py-3">
            {/* A translator that answers late would put an old figure here; the same in the waiting room. */}
            <span
              translate="no"
              className="font-bold text-4xl leading-none tracking-tight tabular-nums sm:text-5xl"
            >
              {figure}
            </span>
            <span className="mt-2 text-muted text-sm">{unit}</span>
          </div>
        ))}
      </div>
      <p className="text-muted">
        <time dateTime={new Date(target).toISOString()}>{t(dateLabel, { date: localDate(target) })}</time>
      </p>
    </section>
  );
}
