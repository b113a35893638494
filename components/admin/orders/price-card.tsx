'use client';

import { useLocale, useTranslations } from 'next-intl';
import { Card } from '@/components/ui/card';
import type { OrderDetail } from '@/lib/contract/shapes/order';
import { formatMoney } from '@/lib/money';
import { PriceForm } from './price-form';

interface PriceProps {
  order: OrderDetail;
  refresh: () => Promise<void>;
}

/** Offers to change the price of an unpaid order. Once the payment was opened, says why the price is fixed. */
export function PriceCard({ order, refresh }: PriceProps) {
  const t = useTranslations('AdminOrders');
  const locale = useLocale();
  const { payment, amountMinor, currency } = order;
  const isFixed = payment !== null && payment.openedAt !== null;
  return (
    <Card className="grid content-start gap-4 p-5">
      <h2 className="font-semibold text-lg">{t('price')}</h2>
      {/* Stands here before its text comes; otherwise a screen reader would not announce the text. */}
      <div role="status">
        {isFixed ? (
          <p className="text-muted">
            {t('priceFixed', { amount: formatMoney(amountMinor, currency, locale) })}
          </p>
        ) : null}
      </div>
      {isFixed ? null : <PriceForm order={order} refresh={refresh} />}
    </Card>
  );
}
