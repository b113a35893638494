'use client';

import { useMutation } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { TextField } from '@/components/ui/field';
import { formatMoney } from '@/components/ui/format-money';
import { Problem } from '@/components/ui/problem';
import type { OrderDetail } from '@/lib/contract/shapes/order';
import { useTell } from '../kit/use-tell';

/** Sends a paid order's money back; its pieces are for sale again or written off, as the merchant says. */
export function RefundForm({ order, refresh }: { order: OrderDetail; refresh: () => Promise<void> }) {
  const t = useTranslations('AdminOrders');
  const done = useTranslations('AdminDone');
  const locale = useLocale();
  const name = useId();
  const [reason, setReason] = useState('');
  const [returnStock, setReturnStock] = useState(true);
  const { quantity, email, amountMinor, currency } = order;
  const amount = formatMoney(amountMinor, currency, locale);
  const tell = useTell();
  const refund = useMutation({
    mutationFn: () =>
      request('POST /api/admin/orders/{orderNo}/refund', {
        params: { orderNo: order.orderNo },
        body: { reason, returnStock },
      }),
    onSuccess: ({ status }) => {
      if (status !== 'pending') tell(done('orderRefunded', { amount }));
    },
    onSettled: refresh,
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
    <div className="grid content-start gap-4">
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
      <TextField
        label={t('reason')}
        value={reason}
        maxLength={500}
        onChange={({ target }) => setReason(target.value)}
      />
      <ConfirmDialog
        trigger={
          <Button
            tone="danger"
            className="justify-self-start"
            isBusy={refund.isPending}
            disabled={reason.trim() === ''}
          >
            {t('refundNow', { amount })}
          </Button>
        }
        title={t('refundTitle', { amount })}
        text={consequence()}
        confirmLabel={t('refundConfirm')}
        keepLabel={t('keep')}
        isDangerous
        onConfirm={() => refund.mutate()}
      />
      <Problem error={refund.error} />
    </div>
  );
}
