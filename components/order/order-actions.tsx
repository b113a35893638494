'use client';

import { useMutation } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Problem } from '@/components/ui/problem';
import { useIsLeaving } from '@/components/ui/use-is-leaving';
import { getPathname } from '@/i18n/navigation';
import type { OrderView } from '@/lib/contract/shapes/order';
import { formatMoney } from '@/lib/money';
import { paymentPath } from './payment-path';

interface OrderActionsProps {
  order: OrderView;
  /** False: it can only be cancelled, because an address has to be given first. */
  mayPay: boolean;
  onChange: () => void;
}

/** Offers what the shopper can do with an unpaid order: pay it or cancel it. */
export function OrderActions({ order, mayPay, onChange }: OrderActionsProps) {
  const t = useTranslations('Order');
  const locale = useLocale();
  const { orderNo } = order;

  const pay = useMutation({
    mutationFn: () => request('POST /api/orders/{orderNo}/pay', { params: { orderNo }, query: { locale } }),
    onSuccess: ({ redirectUrl }) => {
      const localize = (path: string) => getPathname({ href: path, locale });
      window.location.assign(paymentPath(redirectUrl, localize));
    },
    onError: onChange,
  });
  const cancel = useMutation({
    mutationFn: () => request('POST /api/orders/{orderNo}/cancel', { params: { orderNo } }),
    onSettled: onChange,
  });
  const isPaying = useIsLeaving(pay);
  const problem = pay.error ?? cancel.error;

  return (
    <div className="grid gap-3">
      {mayPay ? (
        <Button
          tone="primary"
          size="lg"
          className="h-14 w-full"
          isBusy={isPaying}
          disabled={cancel.isPending}
          onClick={() => pay.mutate()}
        >
          {isPaying
            ? t('paying')
            : t('pay', { amount: formatMoney(order.amountMinor, order.currency, locale) })}
        </Button>
      ) : null}
      <ConfirmDialog
        trigger={
          <Button tone="plain" isBusy={cancel.isPending} disabled={isPaying}>
            {t('cancel')}
          </Button>
        }
        title={t('cancelTitle')}
        text={t('cancelText')}
        confirmLabel={t('cancelConfirm')}
        keepLabel={t('cancelKeep')}
        isDangerous
        onConfirm={() => cancel.mutate()}
      />
      <Problem error={problem} />
    </div>
  );
}
