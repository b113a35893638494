'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import type { OrderDetail } from '@/lib/contract/shapes/order';
import { formatMoney } from '@/lib/money';
import { ReasonForm } from '../kit/reason-form';
import { useAction } from '../kit/use-action';

/** Refunds all that is left of a paid order. The merchant says whether its units are for sale again or written off. */
export function RefundForm({ order, refresh }: { order: OrderDetail; refresh: () => Promise<void> }) {
  const t = useTranslations('AdminOrders');
  const done = useTranslations('AdminDone');
  const locale = useLocale();
  const name = useId();
  const [returnStock, setReturnStock] = useState(true);
  const { orderNo, quantity, email, amountMinor, refundedMinor, currency } = order;
  const amount = formatMoney(amountMinor - refundedMinor, currency, locale);
  const refund = useAction('POST /api/admin/orders/{orderNo}/refund', {
    says: ({ status }) => (status === 'pending' ? null : { text: done('orderRefunded', { amount }) }),
    refresh,
  });
  const { total, held, sold } = order.saleStock;
  const left = total - held - sold;
  const consequence = () => {
    if (total === -1) return t('refundTextUnlimited', { amount, email });
    return returnStock
      ? t('refundTextReturn', { amount, email, quantity, left, newLeft: left + quantity })
      : t('refundTextWriteOff', { amount, email, quantity, total, newTotal: total - quantity });
  };
  return (
    <ReasonForm
      action={refund}
      button={t('refundNow', { amount })}
      tone="danger"
      ask={{
        title: t('refundTitle', { amount }),
        text: consequence(),
        confirmLabel: t('refundConfirm'),
        keepLabel: t('keep'),
      }}
      onSend={({ reason }) => refund.mutate({ params: { orderNo }, body: { reason, returnStock } })}
    >
      <fieldset className="grid gap-1">
        <legend className="mb-1 font-medium">{t('afterwards', { quantity })}</legend>
        {[true, false].map((value) => (
          <label key={String(value)} className="flex min-h-11 items-center gap-3">
            <input
              type="radio"
              name={name}
              className="size-5"
              checked={returnStock === value}
              onChange={() => setReturnStock(value)}
            />
            {t(value ? 'returnStock' : 'writeOff')}
          </label>
        ))}
      </fieldset>
    </ReasonForm>
  );
}
