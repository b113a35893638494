'use client';

import { useLocale, useTranslations } from 'next-intl';
import { Button } from '@/components/ui/button';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { OrderView } from '@/lib/contract/shapes/order';
import type { HistoryCause } from '@/lib/contract/words/order';
import { formatMoney, taxIn } from '@/lib/money';
import { useSaleTitle } from './item-name';
import { useHistory } from './use-history';

interface ReceiptProps {
  order: OrderView;
  /** The entry token the order was bought with, or null to rely on the session. */
  token: string | null;
}

/** The causes of money that has gone back. */
const RETURNED: ReadonlySet<HistoryCause> = new Set<HistoryCause>(['part_returned', 'money_returned']);

/** Shows what the shopper bought, for how much and when, and what was given back; a receipt once it is paid. */
export function Receipt({ order, token }: ReceiptProps) {
  const t = useTranslations('Order');
  const locale = useLocale();
  const localDate = useLocalDate();
  const isPaid = order.status === 'paid';
  const money = (minor: number) => formatMoney(minor, order.currency, locale);
  const returned = useHistory(order, token).filter(({ cause }) => RETURNED.has(cause));
  const isGivenBack = order.refundedMinor > 0;
  const { amountMinor, taxRate } = order;
  const taxMinor = taxRate === null ? 0 : taxIn(amountMinor, taxRate);
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
  const taxRows: [string, string][] =
    taxRate === null
      ? []
      : [
          [t('taxIncluded', { percent: percent.format(taxRate / 10_000) }), money(taxMinor)],
          [t('withoutTax'), money(amountMinor - taxMinor)],
        ];
  const rows: [string, string | null][] = [
    [t('item'), useSaleTitle(order)],
    [t('variant'), order.variantName],
    [t('quantity'), new Intl.NumberFormat(locale).format(order.quantity)],
    [t('shipping'), order.shippingMinor > 0 ? money(order.shippingMinor) : null],
    [t('amount'), money(order.amountMinor)],
    ...taxRows,
    [t('givenBack'), isGivenBack ? money(order.refundedMinor) : null],
    ...(isGivenBack ? returned : []).map(({ at, amountMinor }): [string, string] => [
      t('givenBackOn', { date: localDate(at, 'short') }),
      money(amountMinor ?? 0),
    ]),
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
          .map(([label, value], nth) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two parts of the same minute have the same label
            <div key={`${nth} ${label}`} className="contents">
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
