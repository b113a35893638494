'use client';

import { useTranslations } from 'next-intl';
import { useLocalDate } from '@/components/ui/use-local-date';
import { phasesOf, type Times } from './phases';

/** What happens when, in the merchant's time zone. */
export function PhaseTimeline({ sale }: { sale: Times }) {
  const t = useTranslations('DeskSales.timeline');
  const localDate = useLocalDate();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <section aria-label={t('heading')} className="grid gap-3">
      <h3 className="font-semibold text-lg">{t('heading')}</h3>
      <ol className="grid gap-0 border-line border-l-2 pl-5">
        {phasesOf(sale).map(({ phase, at }) => (
          <li
            key={phase}
            className="relative grid gap-x-4 py-1.5 before:absolute before:top-4 before:-left-[27px] before:size-3 before:rounded-full before:border-2 before:border-panel before:bg-control sm:grid-cols-[18rem_1fr]"
          >
            <time dateTime={new Date(at).toISOString()} className="text-muted tabular-nums">
              {localDate(at)}
            </time>
            <span>{t(phase)}</span>
          </li>
        ))}
      </ol>
      <p className="text-muted text-sm">{t('zone', { zone })}</p>
    </section>
  );
}
