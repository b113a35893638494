'use client';

import { useLocale, useTranslations } from 'next-intl';
import { BEFORE_CLOSE, type DrawView } from './draw-view';

const DOTS = 12;

interface DrawFactsProps {
  view: DrawView;
  /** How many have entered; null while unknown. */
  joined: number | null;
  /** Units. */
  total: number;
}

/** Shows how many have entered for how many units, and after the draw the result, calmly. */
export function DrawFacts({ view, joined, total }: DrawFactsProps) {
  const t = useTranslations('Draw');
  const number = new Intl.NumberFormat(useLocale());
  if (view.kind === 'drawing')
    return (
      <div className="grid justify-items-center gap-3 rounded-xl bg-sunken px-4 py-6">
        <Dots />
        <p className="font-medium text-lg">{t('drawingTitle')}</p>
      </div>
    );
  if (view.kind === 'won' || view.kind === 'paid')
    return (
      <p className="draw-reveal grid justify-items-center gap-1 rounded-xl bg-success-soft px-4 py-6 text-center text-success">
        <span aria-hidden="true" className="font-bold text-4xl">
          ✓
        </span>
        <span className="font-bold text-2xl">{t('wonTitle')}</span>
      </p>
    );
  if (view.kind === 'waiting')
    return (
      <dl className="draw-reveal grid grid-cols-2 gap-x-4 rounded-xl bg-sunken px-4 py-5">
        <Fact label={t('place')} value={number.format(view.place + 1)} />
        <Fact label={t('of')} value={number.format(view.of)} />
      </dl>
    );
  if (!BEFORE_CLOSE.has(view.kind)) return null;
  return (
    <dl className="grid grid-cols-2 gap-x-4 rounded-xl bg-sunken px-4 py-5">
      <Fact label={t('entrants')} value={joined === null ? '–' : number.format(joined)} />
      <Fact label={t('units')} value={number.format(total)} />
    </dl>
  );
}

const Fact = ({ label, value }: { label: string; value: string }) => (
  <div>
    <dt className="text-muted text-sm">{label}</dt>
    <dd className="font-bold text-3xl tabular-nums leading-tight">{value}</dd>
  </div>
);

/** Dots that change places, slowly; they stand still for people who asked for less motion. */
const Dots = () => (
  <div aria-hidden="true" className="flex gap-2">
    {Array.from({ length: DOTS }, (_, at) => at).map((at) => (
      <span
        key={at}
        className="draw-dot size-3 rounded-full bg-accent motion-reduce:animate-none"
        style={{ animationDelay: `${((at * 7) % DOTS) * 90}ms` }}
      />
    ))}
  </div>
);
