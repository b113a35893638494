'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'next-intl';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { formatMoney } from '@/components/ui/format-money';
import { Notice } from '@/components/ui/notice';
import { useLocalDate } from '@/components/ui/use-local-date';
import { useProblemText } from '@/components/ui/use-problem-text';
import { Link } from '@/i18n/navigation';
import { deskState, SaleStateBadge } from './sale-state-badge';
import { SaleFilters } from './sales/sale-filters';
import { getSales } from './sales/sales-api';
import { useSaleFilter } from './sales/use-sale-filter';

const CELL = 'px-4 py-3 text-left align-middle';
const NUMBER = 'px-4 py-3 text-right align-middle tabular-nums';
const EVERY_MS = 10_000;

/** The merchant's sales, page by page, with their filters. */
export function SaleTable() {
  const t = useTranslations('Admin');
  const words = useTranslations('DeskSales.list');
  const common = useTranslations('Common');
  const locale = useLocale();
  const localDate = useLocalDate();
  const problemText = useProblemText();
  const [filter, setFilter] = useSaleFilter();
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['admin-sales', filter],
    queryFn: ({ pageParam, signal }) => getSales(filter, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: EVERY_MS,
    placeholderData: (previous) => previous,
  });
  const sales = data?.pages.flatMap((page) => page.sales) ?? [];
  const isAsked = filter.q + filter.status + filter.from + filter.to !== '';
  const number = new Intl.NumberFormat(locale);

  return (
    <div className="grid gap-4">
      <SaleFilters filter={filter} onFilter={setFilter} />
      {isPending && !error ? <p className="text-muted">{common('loading')}</p> : null}
      {error ? (
        <Notice tone="danger" role="alert">
          {problemText(error)}
        </Notice>
      ) : null}
      {data && sales.length === 0 ? (
        <p className="text-muted">{isAsked ? words('nothingFound') : t('empty')}</p>
      ) : null}
      {sales.length > 0 ? (
        <Card className="overflow-x-auto">
          <table className="w-full min-w-3xl border-collapse text-base">
            <thead className="border-line border-b text-muted text-sm">
              <tr>
                <th scope="col" className={CELL}>
                  {t('title')}
                </th>
                <th scope="col" className={CELL}>
                  {t('state')}
                </th>
                <th scope="col" className={CELL}>
                  {t('start')}
                </th>
                <th scope="col" className={CELL}>
                  {t('end')}
                </th>
                <th scope="col" className={NUMBER}>
                  {t('price')}
                </th>
                <th scope="col" className={NUMBER}>
                  {t('stock')}
                </th>
              </tr>
            </thead>
            <tbody>
              {sales.map((sale) => (
                <tr key={sale.saleId} className="border-line border-b last:border-0 hover:bg-sunken">
                  <td className={CELL}>
                    <Link
                      href={`/admin/sales/${sale.saleId}`}
                      prefetch={false}
                      className="inline-flex min-h-11 items-center font-medium underline-offset-4 hover:underline"
                    >
                      {sale.title}
                    </Link>
                  </td>
                  <td className={CELL}>
                    <SaleStateBadge state={deskState(sale, sale.phase ?? null)} />
                  </td>
                  <td className={`${CELL} whitespace-nowrap tabular-nums`}>
                    {localDate(sale.startsAt, 'short')}
                  </td>
                  <td className={`${CELL} whitespace-nowrap tabular-nums`}>
                    {localDate(sale.endsAt, 'short')}
                  </td>
                  <td className={NUMBER}>{formatMoney(sale.priceMinor, sale.currency, locale)}</td>
                  <td className={NUMBER}>
                    {sale.totalStock < 0 ? common('unlimited') : number.format(sale.totalStock)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Card>
      ) : null}
      {hasNextPage ? (
        <Button
          className="justify-self-center"
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {isFetchingNextPage ? common('loading') : common('loadMore')}
        </Button>
      ) : null}
    </div>
  );
}
