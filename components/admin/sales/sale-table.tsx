'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useList } from '@/components/api/use-list';
import { useLocalDate } from '@/components/ui/use-local-date';
import { formatMoney } from '@/lib/money';
import { DataTable } from '../kit/data-table';
import { Paged } from '../kit/paged';
import { RowLink } from '../kit/row-link';
import { useTakingsOf } from '../money/use-takings';
import { SaleFilters } from './sale-filters';
import { saleQueryOf } from './sale-list-filter';
import { adminState, SaleStateBadge } from './sale-state-badge';
import { useSaleFilter } from './use-sale-filter';

const EVERY_MS = 10_000;

/** Lists the merchant's sales, page by page, with filters. */
export function SaleTable() {
  const t = useTranslations('Admin');
  const words = useTranslations('AdminSales.list');
  const common = useTranslations('Common');
  const locale = useLocale();
  const localDate = useLocalDate();
  const [filter, setFilter] = useSaleFilter();
  const { query, items: sales } = useList('GET /api/admin/sales', {
    query: saleQueryOf(filter),
    refetchInterval: EVERY_MS,
  });
  const isAsked = filter.q + filter.status + filter.from + filter.to !== '';
  const takings = useTakingsOf(sales.map(({ saleId }) => saleId));
  const number = new Intl.NumberFormat(locale);
  const taken = (saleId: string) =>
    takings
      .filter(({ sale }) => sale?.saleId === saleId)
      .map(({ takenMinor, currency }) => formatMoney(takenMinor, currency, locale))
      .join(', ') || '–';

  return (
    <div className="grid gap-4">
      <SaleFilters filter={filter} onFilter={setFilter} />
      <Paged query={query} isEmpty={sales.length === 0} empty={isAsked ? words('nothingFound') : t('empty')}>
        <DataTable
          isStacked="pairs"
          caption={t('heading')}
          columns={[
            ...(['title', 'state', 'start', 'end'] as const).map((name) => ({ label: t(name) })),
            { label: t('price'), isNumber: true },
            { label: t('stock'), isNumber: true },
            { label: words('taken'), isNumber: true },
          ]}
        >
          {sales.map((sale) => (
            <tr key={sale.saleId}>
              <RowLink href={`/admin/sales/${sale.saleId}`}>{sale.title}</RowLink>
              <td>
                <SaleStateBadge state={adminState(sale, sale.phase)} />
              </td>
              <td className="whitespace-nowrap tabular-nums">{localDate(sale.startsAt, 'short')}</td>
              <td className="whitespace-nowrap tabular-nums">{localDate(sale.endsAt, 'short')}</td>
              <td className="text-right tabular-nums">
                {formatMoney(sale.priceMinor, sale.currency, locale)}
              </td>
              <td className="text-right tabular-nums">
                {sale.totalStock < 0 ? common('unlimited') : number.format(sale.totalStock)}
              </td>
              <td className="text-right tabular-nums">{taken(sale.saleId)}</td>
            </tr>
          ))}
        </DataTable>
      </Paged>
    </div>
  );
}
