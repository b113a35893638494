'use client';

import { useLocale, useTranslations } from 'next-intl';
import { LineTrack } from './line-track';
import type { Waiting } from './line-view';

/** Shows the own place, how many are in front and how long it takes. */
export function WaitingFacts({ view }: { view: Waiting }) {
  const t = useTranslations('Line');
  const number = new Intl.NumberFormat(useLocale());
  const { wait } = view;
  const time = () => {
    if (view.isHeld) return t('timeHeld');
    if (!wait) return t('timeUnknown');
    return wait.from === wait.to ? t('timeAbout', { from: wait.from }) : t('timeRange', wait);
  };
  const facts = [
    { label: t('ahead'), value: number.format(view.ahead) },
    { label: t('place'), value: number.format(view.place + 1) },
    { label: t('time'), value: time() },
  ];
  return (
    <div className="grid gap-3 rounded-xl bg-sunken p-4">
      <LineTrack ahead={view.ahead} isMoving={!view.isHeld && !view.isStale} />
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3">
        {facts.map(({ label, value }, at) => (
          <div key={label} className={at === 2 ? 'col-span-2' : ''}>
            <dt className="text-muted text-sm">{label}</dt>
            <dd translate={at === 2 ? 'yes' : 'no'} className="font-bold text-2xl leading-tight tabular-nums">
              {value}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
