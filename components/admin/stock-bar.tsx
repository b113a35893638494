'use client';

import { useLocale, useTranslations } from 'next-intl';

interface Tiers {
  total: number;
  available: number;
  held: number;
  sold: number;
}

/** The three tiers of stock (C5) as one bar with its figures; each explains itself. */
export function StockBar({ stock }: { stock: Tiers }) {
  const t = useTranslations('Admin');
  const common = useTranslations('Common');
  const number = new Intl.NumberFormat(useLocale());
  const isUnlimited = stock.total < 0;
  const whole = Math.max(1, isUnlimited ? stock.held + stock.sold : stock.total);
  const tiers = [
    { key: 'sold', value: stock.sold, color: 'bg-success', help: t('soldHelp') },
    { key: 'held', value: stock.held, color: 'bg-warning', help: t('heldHelp') },
    { key: 'available', value: stock.available, color: 'bg-control', help: t('availableHelp') },
  ] as const;
  return (
    <div className="grid gap-4">
      <div
        aria-hidden="true"
        className="flex h-6 gap-0.5 overflow-hidden rounded-full bg-sunken ring-1 ring-line ring-inset"
      >
        {tiers
          .filter(({ value }) => value > 0)
          .map(({ key, value, color }) => (
            <div key={key} className={color} style={{ width: `${(value / whole) * 100}%` }} />
          ))}
      </div>
      <dl className="grid gap-4 sm:grid-cols-3">
        {tiers.map(({ key, value, color, help }) => (
          <div key={key} className="grid content-start gap-0.5">
            <dt className="flex items-center gap-2 text-muted">
              <span aria-hidden="true" className={`size-3 rounded-full ${color}`} />
              {t(key)}
            </dt>
            <dd className="font-bold text-3xl tabular-nums">
              {isUnlimited && key === 'available' ? common('unlimited') : number.format(value)}
            </dd>
            <dd className="text-muted text-sm">{help}</dd>
          </div>
        ))}
      </dl>
      <p className="text-muted tabular-nums">
        {isUnlimited ? t('totalUnlimited') : t('total', { count: number.format(stock.total) })}
      </p>
    </div>
  );
}
