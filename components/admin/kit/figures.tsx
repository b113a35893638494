'use client';

import { useLocale } from 'next-intl';
import { Card } from '@/components/ui/card';
import { Explained } from '@/components/ui/explained';

interface Figure {
  label: string;
  value: number | string;
  help?: string;
  /** Marks a number that should be 0 and isn't. */
  isBad?: boolean;
}

/** Shows a group of labelled figures under a heading. */
export function Figures({ heading, help, figures }: { heading: string; help?: string; figures: Figure[] }) {
  const number = new Intl.NumberFormat(useLocale());
  return (
    <Card className="grid content-start gap-2 p-4">
      <h2 className="font-semibold">{heading}</h2>
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5 text-sm">
        {figures.map(({ label, help: figureHelp, value, isBad }) => (
          <div key={label} className="contents">
            <dt className="text-muted">
              {figureHelp ? (
                <Explained label={label}>
                  <p>{figureHelp}</p>
                </Explained>
              ) : (
                label
              )}
            </dt>
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
