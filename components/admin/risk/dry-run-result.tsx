'use client';

import { useLocale, useTranslations } from 'next-intl';
import { Notice } from '@/components/ui/notice';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { DryRun, RuleDefinition } from '@/lib/contract/shapes/risk';

const SHOWN = 10;

/** Shows whom the rule would have hit within the last 24 hours. */
export function DryRunResult({ definition, result }: { definition: RuleDefinition; result: DryRun }) {
  const t = useTranslations('AdminRisk');
  const localDate = useLocalDate();
  const number = new Intl.NumberFormat(useLocale());
  const { isCounted, subjects, top } = result;
  return (
    <Notice tone={isCounted ? 'info' : 'warning'} role="status">
      <p>
        {t('wouldHaveHit', { count: subjects })} {isCounted ? null : t('notCounted')}
      </p>
      {top.length > 0 ? (
        <div className="mt-2 overflow-x-auto">
          <table className="w-full border-collapse text-sm">
            <caption className="sr-only">{t('highest')}</caption>
            <thead>
              <tr className="text-left">
                <th scope="col" className="py-1 pr-4 font-medium">
                  {t(`subjects.${definition.subject}`)}
                </th>
                <th scope="col" className="py-1 pr-4 text-right font-medium">
                  {t('counted')}
                </th>
                <th scope="col" className="py-1 font-medium">
                  {t('hour')}
                </th>
              </tr>
            </thead>
            <tbody className="tabular-nums">
              {top.slice(0, SHOWN).map(({ value, count, hour }) => (
                <tr key={value}>
                  <th scope="row" className="break-all py-1 pr-4 text-left font-normal">
                    {value}
                  </th>
                  <td className="py-1 pr-4 text-right">{number.format(count)}</td>
                  <td className="whitespace-nowrap py-1">{localDate(hour, 'short')}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {subjects > SHOWN ? <p className="mt-1">{t('andMore', { count: subjects - SHOWN })}</p> : null}
        </div>
      ) : null}
    </Notice>
  );
}
