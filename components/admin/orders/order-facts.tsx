'use client';

import { useLocale, useTranslations } from 'next-intl';
import { Card } from '@/components/ui/card';
import { useLocalDate } from '@/components/ui/use-local-date';
import { Link } from '@/i18n/navigation';
import type { OrderDetail } from '@/lib/contract/shapes/order';
import { isolated } from '@/lib/human-text';
import { formatMoney, taxIn } from '@/lib/money';

/** Shows the facts of an order: who, what, how much, and the state of its payment. */
export function OrderFacts({ order }: { order: OrderDetail }) {
  const t = useTranslations('AdminOrders');
  const locale = useLocale();
  const localDate = useLocalDate();
  const {
    saleId,
    saleTitle,
    variantName,
    name,
    email,
    userId,
    quantity,
    unitPriceMinor,
    shippingMinor,
    amountMinor,
    taxRate,
    refundedMinor,
    currency,
  } = order;
  const money = (minor: number) => formatMoney(minor, currency, locale);
  const facts = [
    [
      t('sale'),
      <Link
        key="sale"
        href={`/admin/sales/${saleId}`}
        prefetch={false}
        className="underline underline-offset-4"
      >
        <bdi>{saleTitle}</bdi>
      </Link>,
    ],
    ...(variantName === null ? [] : [[t('variant'), <bdi key="variant">{variantName}</bdi>] as const]),
    [t('buyer'), `${isolated(name)} · ${email}`],
    [t('account'), userId],
    [t('pieces'), `${quantity} × ${money(unitPriceMinor)}`],
    ...(shippingMinor > 0 ? [[t('shipping'), money(shippingMinor)] as const] : []),
    [t('amount'), money(amountMinor)],
    ...(taxRate === null ? [] : [[t('tax'), money(taxIn(amountMinor, taxRate))] as const]),
    ...(refundedMinor > 0
      ? [
          [
            t('refunded'),
            t('left', {
              amount: money(refundedMinor),
              of: money(amountMinor),
              left: money(amountMinor - refundedMinor),
            }),
          ] as const,
        ]
      : []),
    [t('payment'), order.payment ? t(`payments.${paymentWord(order.payment.status)}`) : t('payments.none')],
    [t('payBy'), order.payBy === null ? '' : localDate(order.payBy)],
    [t('version'), String(order.version)],
  ] as const;
  return (
    <Card className="p-5">
      <h2 className="sr-only">{t('facts')}</h2>
      <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-[auto_1fr]">
        {facts.map(([label, value]) => (
          <div key={label} className="grid sm:contents">
            <dt className="text-muted">{label}</dt>
            <dd className="break-words tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

const PAYMENT_WORDS = ['pending', 'succeeded', 'failed', 'refund_due', 'refunded'] as const;

const paymentWord = (status: string): (typeof PAYMENT_WORDS)[number] | 'other' =>
  PAYMENT_WORDS.find((word) => word === status) ?? 'other';
