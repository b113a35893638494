'use client';

import { useLocale } from 'next-intl';
import { Card } from '@/components/ui/card';

interface Figure {
  label: string;
  value: number | string;
  /** A number that should be 0 and isn't. */
  isBad?: boolean;
}

/** A group of labelled figures under a heading. */
export function Figures({ heading, help, figures }: { heading: string; help?: string; figures: Figure[] }) {
  const number = new Intl.NumberFormat(useLocale());
  return (
    <Card className="grid content-start gap-3 p-5">
      <h2 className="font-semibold text-lg">{heading}</h2>
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5">
        {figures.map(({ label, value, isBad }) => (
          <div key={label} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd className={`text-right font-semibold tabular-nums ${isBad ? 'text-danger' : ''}`}>
              {typeof value === 'number' ? number.format(value) : value}
            </dd>
          </div>
        ))}
      </dl>
      {help ? <p className="text-muted text-sm">{help}</p> : null}
    </Card>
  );
}
