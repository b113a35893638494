'use client';

import { useTranslations } from 'next-intl';
import type { InvariantView } from '@/components/api/types';
import { Card } from '@/components/ui/card';
import { cn } from '@/components/ui/cn';

/** Whether everything the shop promises holds right now, one mark per promise. */
export function Invariants({ invariants }: { invariants: InvariantView[] }) {
  const t = useTranslations('Admin');
  const broken = invariants.filter(({ ok }) => !ok).length;
  const summary = () => {
    if (invariants.length === 0) return t('notVerified');
    return broken === 0 ? t('allHold', { count: invariants.length }) : t('someBroken', { count: broken });
  };
  return (
    <Card className="grid gap-3 p-5">
      <h2 className="font-semibold text-lg">{t('invariantsHeading')}</h2>
      <p role="status" className={broken > 0 ? 'font-semibold text-danger' : 'text-muted'}>
        {summary()}
      </p>
      <ul className="flex flex-wrap gap-2">
        {invariants.map(({ id, ok, detail }) => (
          <li key={id}>
            <details className="rounded-lg border border-line bg-sunken px-3 open:w-full">
              <summary className="flex min-h-11 items-center gap-2">
                <span aria-hidden="true" className={cn('font-bold', ok ? 'text-success' : 'text-danger')}>
                  {ok ? '✓' : '✗'}
                </span>
                <span className="font-medium">{id}</span>
                <span className="sr-only">{t(ok ? 'invariantOk' : 'invariantBroken')}</span>
              </summary>
              <p className="pb-3 text-muted text-sm">{detail}</p>
            </details>
          </li>
        ))}
      </ul>
    </Card>
  );
}
