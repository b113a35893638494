'use client';

import { useLocale, useTranslations } from 'next-intl';
import { Button } from '@/components/ui/button';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { OrderView } from '@/lib/contract/shapes/order';
import { formatMoney } from '@/lib/money';

/** Shows what the shopper bought, for how much and when; a receipt once it is paid. */
export function Receipt({ order }: { order: OrderView }) {
  const t = useTranslations('Order');
  const locale = useLocale();
  const localDate = useLocalDate();
  const isPaid = order.status === 'paid';
  const rows: [string, string | null][] = [
    [t('item'), order.saleTitle],
    [t('quantity'), new Intl.NumberFormat(locale).format(order.quantity)],
    [t('amount'), formatMoney(order.amountMinor, order.currency, locale)],
    [t('boughtAt'), order.createdAt === null ? null : localDate(order.createdAt)],
    [t('paidAt'), order.paidAt === null ? null : localDate(order.paidAt)],
    [t('orderNo'), order.orderNo],
  ];
  return (
    <section aria-label={t(isPaid ? 'receipt' : 'summary')} className="grid gap-4">
      <h2 className="font-semibold text-xl">{t(isPaid ? 'receipt' : 'summary')}</h2>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        {rows
          .filter(([, value]) => value !== null)
          .map(([label, value]) => (
            <div key={label} className="contents">
              <dt className="text-muted">{label}</dt>
              <dd className="break-words text-right tabular-nums">
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
      </dl>
      {isPaid ? (
        <Button className="justify-self-end print:hidden" onClick={() => window.print()}>
          {t('print')}
        </Button>
      ) : null}
    </section>
  );
}
