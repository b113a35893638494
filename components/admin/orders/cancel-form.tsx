'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { TextField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import type { OrderDetail } from '@/lib/contract/shapes/order';
import { useTell } from '../kit/use-tell';

/** Cancels an unpaid order, with what that makes of the stock. */
export function CancelForm({ order, refresh }: { order: OrderDetail; refresh: () => Promise<void> }) {
  const t = useTranslations('AdminOrders');
  const done = useTranslations('AdminDone');
  const [reason, setReason] = useState('');
  const tell = useTell();
  const cancel = useMutation({
    mutationFn: () =>
      request('POST /api/admin/orders/{orderNo}/cancel', {
        params: { orderNo: order.orderNo },
        body: { reason },
      }),
    onSuccess: () => tell(done('orderCancelled')),
    onSettled: refresh,
  });
  const { quantity, email } = order;
  const { total, held, sold } = order.saleStock;
  const left = total - held - sold;
  return (
    <Card className="grid content-start gap-4 p-5">
      <h2 className="font-semibold text-lg">{t('cancel')}</h2>
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
            isBusy={cancel.isPending}
            disabled={reason.trim() === ''}
          >
            {t('cancel')}
          </Button>
        }
        title={t('cancelTitle')}
        text={
          total === -1
            ? t('cancelTextUnlimited', { email })
            : t('cancelText', { email, quantity, left, newLeft: left + quantity })
        }
        confirmLabel={t('cancelConfirm')}
        keepLabel={t('keep')}
        isDangerous
        onConfirm={() => cancel.mutate()}
      />
      <Problem error={cancel.error} />
    </Card>
  );
}
