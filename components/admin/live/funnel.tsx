'use client';

import { useLocale, useTranslations } from 'next-intl';
import { Card } from '@/components/ui/card';
import { Explained } from '@/components/ui/explained';
import type { Live } from '@/lib/contract/shapes/live';

/** Shows how many written orders were paid, and where the others went. */
export function Funnel({ orders }: { orders: Live['orders'] }) {
  const t = useTranslations('AdminLive');
  const number = new Intl.NumberFormat(useLocale());
  const share = new Intl.NumberFormat(useLocale(), { style: 'percent', maximumFractionDigits: 0 });
  const whole = Math.max(1, orders.written);
  const steps = [
    { key: 'written', value: orders.written, color: 'bg-control' },
    { key: 'waiting', value: orders.pendingPayment, color: 'bg-warning' },
    { key: 'paid', value: orders.paid, color: 'bg-success' },
    { key: 'expired', value: orders.expired, color: 'bg-danger' },
    {
      key: 'other',
      value: orders.cancelled - orders.expired + orders.failed + orders.refunded,
      color: 'bg-control',
    },
  ] as const;
  return (
    <Card className="grid content-start gap-2 p-4">
      <h2 className="font-semibold">
        <Explained label={t('funnelHeading')}>
          <p>{t('funnelHelp')}</p>
        </Explained>
      </h2>
      <dl className="grid gap-1.5 text-sm">
        {steps.map(({ key, value, color }) => (
          <div key={key} className="grid grid-cols-[1fr_auto_3rem] items-baseline gap-x-2">
            <dt className="text-muted">
              <Explained label={t(`funnel.${key}.label`)}>
                <p>{t(`funnel.${key}.help`)}</p>
              </Explained>
            </dt>
            <dd className="font-semibold tabular-nums">{number.format(value)}</dd>
            <dd className="text-right text-muted tabular-nums">{share.format(value / whole)}</dd>
            <dd aria-hidden="true" className="col-span-3 h-1 overflow-hidden rounded-full bg-sunken">
              <div className={`h-full ${color}`} style={{ width: `${(value / whole) * 100}%` }} />
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
