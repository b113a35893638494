'use client';

import { useLocale, useTranslations } from 'next-intl';
import { formatDate } from '@/components/ui/format-date';
import type { Takings } from '@/lib/contract/shapes/takings';
import { formatMoney } from '@/lib/money';
import { DataTable } from '../kit/data-table';
import { RowLink } from '../kit/row-link';

const NUMBERS = ['orders', 'taken', 'refunded', 'kept', 'held'] as const;

/** Lists takings by day or by sale. */
export function TakingsTable({ takings, by }: { takings: Takings[]; by: 'day' | 'sale' }) {
  const t = useTranslations('AdminMoney');
  return (
    <DataTable
      isStacked="pairs"
      caption={t('heading')}
      columns={[{ label: t(by) }, ...NUMBERS.map((name) => ({ label: t(name), isNumber: true }))]}
    >
      {takings.map((line) => (
        <Line key={`${line.day ?? line.sale?.saleId} ${line.currency}`} line={line} />
      ))}
    </DataTable>
  );
}

function Line({ line }: { line: Takings }) {
  const locale = useLocale();
  const { day, sale, currency, orders, takenMinor, refundedMinor, heldMinor } = line;
  const amounts = [takenMinor, refundedMinor, takenMinor - refundedMinor, heldMinor];
  return (
    <tr>
      {sale ? (
        <RowLink href={`/admin/sales/${sale.saleId}`}>{sale.title}</RowLink>
      ) : (
        <th scope="row">{formatDate(Date.parse(day ?? ''), locale, 'day', 'UTC')}</th>
      )}
      <td className="text-right tabular-nums">{new Intl.NumberFormat(locale).format(orders)}</td>
      {amounts.map((amountMinor, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns stay where they are
        <td key={at} className="whitespace-nowrap text-right tabular-nums">
          {formatMoney(amountMinor, currency, locale)}
        </td>
      ))}
    </tr>
  );
}
