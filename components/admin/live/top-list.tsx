'use client';

import { useLocale, useTranslations } from 'next-intl';
import { Card } from '@/components/ui/card';
import { Explained } from '@/components/ui/explained';

const MAX_SHOWN = 5;

interface TopListProps {
  heading: string;
  help: string;
  /** The most frequent first. */
  items: { key: string; label: string; help?: string; count: number }[];
  empty: string;
}

/** Lists the most frequent items with their counts, and sums up the rest. */
export function TopList({ heading, help, items, empty }: TopListProps) {
  const t = useTranslations('AdminLive');
  const number = new Intl.NumberFormat(useLocale());
  const rest = items.slice(MAX_SHOWN).reduce((sum, { count }) => sum + count, 0);
  return (
    <Card className="grid content-start gap-2 p-4">
      <h2 className="font-semibold">
        <Explained label={heading}>
          <p>{help}</p>
        </Explained>
      </h2>
      {items.length === 0 ? <p className="text-muted text-sm">{empty}</p> : null}
      <dl className="grid gap-1.5 text-sm">
        {items.slice(0, MAX_SHOWN).map(({ key, label, help: itemHelp, count }) => (
          <div key={key} className="flex items-baseline justify-between gap-2">
            <dt className="min-w-0 break-words text-muted">
              {itemHelp ? (
                <Explained label={label}>
                  <p>{itemHelp}</p>
                </Explained>
              ) : (
                // People name rules, some at length. Cut long names: the promises below should fit on the first
                // screen.
                <span title={label} className="line-clamp-2">
                  {label}
                </span>
              )}
            </dt>
            <dd className="font-semibold tabular-nums">{number.format(count)}</dd>
          </div>
        ))}
        {rest > 0 ? (
          <div className="flex justify-between gap-2 text-muted">
            <dt>{t('others')}</dt>
            <dd className="tabular-nums">{number.format(rest)}</dd>
          </div>
        ) : null}
      </dl>
    </Card>
  );
}
