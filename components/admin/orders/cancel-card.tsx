'use client';

import { useTranslations } from 'next-intl';
import { Card } from '@/components/ui/card';
import type { OrderDetail } from '@/lib/contract/shapes/order';
import { ReasonForm } from '../kit/reason-form';
import { useAction } from '../kit/use-action';

/** Cancels an unpaid order, and says what the stock will be afterwards. */
export function CancelCard({ order, refresh }: { order: OrderDetail; refresh: () => Promise<void> }) {
  const t = useTranslations('AdminOrders');
  const done = useTranslations('AdminDone');
  const { orderNo, quantity, email } = order;
  const { total, held, sold } = order.saleStock;
  const left = total - held - sold;
  const cancel = useAction('POST /api/admin/orders/{orderNo}/cancel', {
    says: () => ({ text: done('orderCancelled') }),
    refresh,
  });
  return (
    <Card className="grid content-start gap-4 p-5">
      <h2 className="font-semibold text-lg">{t('cancel')}</h2>
      <ReasonForm
        action={cancel}
        button={t('cancel')}
        tone="danger"
        ask={{
          title: t('cancelTitle'),
          text:
            total === -1
              ? t('cancelTextUnlimited', { email })
              : t('cancelText', { email, quantity, left, newLeft: left + quantity }),
          confirmLabel: t('cancelConfirm'),
          keepLabel: t('keep'),
        }}
        onSend={(body) => cancel.mutate({ params: { orderNo }, body })}
      />
    </Card>
  );
}
