'use client';

import { useLocale, useTranslations } from 'next-intl';
import { Explained } from '@/components/ui/explained';
import type { StockTiers } from '@/lib/contract/shapes/sale';

/** Stripes for held units, which are taken only for a while. They tell the tiers apart without colours too. */
const STRIPES =
  'repeating-linear-gradient(135deg, transparent 0 6px, color-mix(in oklab, var(--panel) 40%, transparent) 6px 9px)';

/** Shows the three tiers of stock as one bar with figures. Each tier has its own explanation. */
export function StockBar({ stock }: { stock: StockTiers }) {
  const t = useTranslations('Admin');
  const common = useTranslations('Common');
  const number = new Intl.NumberFormat(useLocale());
  const isUnlimited = stock.total < 0;
  const whole = Math.max(1, isUnlimited ? stock.held + stock.sold : stock.total);
  const tiers = [
    { key: 'sold', value: stock.sold, color: 'bg-success', help: t('soldHelp'), image: undefined },
    { key: 'held', value: stock.held, color: 'bg-warning', help: t('heldHelp'), image: STRIPES },
    {
      key: 'available',
      value: stock.available,
      // In forced colours all others have the colour of text.
      color: 'bg-control forced-colors:bg-panel forced-colors:border',
      help: t('availableHelp'),
      image: undefined,
    },
  ] as const;
  return (
    <div className="grid gap-2">
      <div
        aria-hidden="true"
        className="flex h-5 gap-0.5 overflow-hidden rounded-full bg-sunken ring-1 ring-line ring-inset"
      >
        {tiers
          .filter(({ value }) => value > 0)
          .map(({ key, value, color, image }) => (
            <div
              key={key}
              className={`${color} transition-[width]`}
              style={{ width: `${(value / whole) * 100}%`, backgroundImage: image }}
            />
          ))}
      </div>
      <dl className="flex flex-wrap items-baseline gap-x-8 gap-y-1">
        {tiers.map(({ key, value, color, help, image }) => (
          <div key={key} className="flex items-baseline gap-2">
            <dt className="flex items-center gap-2 text-muted">
              <span
                aria-hidden="true"
                className={`size-3 rounded-full ${color}`}
                style={{ backgroundImage: image }}
              />
              <Explained label={t(key)}>
                <p>{help}</p>
              </Explained>
            </dt>
            <dd className="font-bold text-2xl tabular-nums">
              {isUnlimited && key === 'available' ? common('unlimited') : number.format(value)}
            </dd>
          </div>
        ))}
        <div className="ml-auto text-muted tabular-nums">
          <dt className="sr-only">{t('stockHeading')}</dt>
          <dd>{isUnlimited ? t('totalUnlimited') : t('total', { count: number.format(stock.total) })}</dd>
        </div>
      </dl>
    </div>
  );
}
