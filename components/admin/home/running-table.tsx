'use client';

import { useLocale, useTranslations } from 'next-intl';
import { formatMoney } from '@/components/ui/format-money';
import { useLocalDate } from '@/components/ui/use-local-date';
import { Link } from '@/i18n/navigation';
import type { HomeSale } from '@/lib/contract/shapes/home';
import { DataTable } from '../kit/data-table';
import { RowTitle } from '../kit/row-title';
import { SaleStateBadge } from '../sales/sale-state-badge';
import { LINK } from './home-card';

/** Shows how far each running sale has sold, and what it has brought. */
export function RunningTable({ sales, count }: { sales: HomeSale[]; count: number }) {
  const t = useTranslations('AdminHome');
  const locale = useLocale();
  const localDate = useLocalDate();
  const number = new Intl.NumberFormat(locale);
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
  return (
    <section className="grid gap-4">
      <h2 className="font-semibold text-xl">{t('running', { count })}</h2>
      <DataTable
        isStacked="pairs"
        caption={t('running', { count })}
        columns={[
          { label: t('sale') },
          { label: t('state') },
          { label: t('sold'), isNumber: true },
          { label: t('held'), isNumber: true },
          { label: t('paid'), isNumber: true },
          { label: t('ends') },
        ]}
      >
        {sales.map((sale) => (
          <tr key={sale.saleId}>
            <RowTitle href={`/admin/sales/${sale.saleId}`}>{sale.title}</RowTitle>
            <td>
              <SaleStateBadge state={sale.phase} />
            </td>
            <td className="text-right tabular-nums">
              {sale.total > 0
                ? t('soldOf', {
                    sold: number.format(sale.sold),
                    total: number.format(sale.total),
                    share: percent.format(sale.sold / sale.total),
                  })
                : number.format(sale.sold)}
            </td>
            <td className="text-right tabular-nums">{number.format(sale.held)}</td>
            <td className="text-right tabular-nums">{formatMoney(sale.paidMinor, sale.currency, locale)}</td>
            <td className="whitespace-nowrap tabular-nums">{localDate(sale.endsAt, 'short')}</td>
          </tr>
        ))}
      </DataTable>
      {count > sales.length ? (
        <Link href="/admin/sales?status=running" prefetch={false} className={LINK}>
          {t('allRunning', { count })}
        </Link>
      ) : null}
    </section>
  );
}
