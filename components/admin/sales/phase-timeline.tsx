'use client';

import { useTranslations } from 'next-intl';
import { Notice } from '@/components/ui/notice';
import { useLocalDate } from '@/components/ui/use-local-date';
import { changesClocks, phasesOf, type Times } from './phases';

/** Shows when each phase begins, in the merchant's time zone. */
export function PhaseTimeline({ sale }: { sale: Times }) {
  const t = useTranslations('AdminSales.timeline');
  const localDate = useLocalDate();
  const phases = phasesOf(sale);
  const doClocksChange = changesClocks(phases.map(({ at }) => at));
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <section aria-label={t('heading')} className="grid gap-3">
      <h3 className="font-semibold text-lg">{t('heading')}</h3>
      <ol className="grid gap-0 border-line border-l-2 pl-5">
        {phases.map(({ phase, at }) => (
          <li
            key={phase}
            className="relative grid gap-x-4 py-1.5 before:absolute before:top-4 before:-left-[27px] before:size-3 before:rounded-full before:border-2 before:border-panel before:bg-control sm:grid-cols-[18rem_1fr]"
          >
            <time dateTime={new Date(at).toISOString()} className="text-muted tabular-nums">
              {localDate(at, doClocksChange ? 'zoned' : 'full')}
            </time>
            <span>{t(phase)}</span>
          </li>
        ))}
      </ol>
      <p className="text-muted text-sm">{t('zone', { zone })}</p>
      {doClocksChange ? <Notice tone="warning">{t('clocksChange')}</Notice> : null}
    </section>
  );
}
