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
import { OrderBadge } from './order-badge';
import { type DeskOrder, getDeskOrders, type OrderFilter } from './orders-api';

const CELL = 'px-4 py-3 text-left align-middle';
const NUMBER = 'px-4 py-3 text-right align-middle tabular-nums';
const LINK = 'inline-flex min-h-11 items-center underline underline-offset-4';

interface OrderTableProps {
  filter: OrderFilter;
  onFilter: (change: Partial<OrderFilter>) => void;
}

/** The orders of a filter, newest first, page by page. */
export function OrderTable({ filter, onFilter }: OrderTableProps) {
  const t = useTranslations('DeskOrders');
  const common = useTranslations('Common');
  const problemText = useProblemText();
  const { data, error, isPending, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery({
      queryKey: ['desk-orders', filter],
      queryFn: ({ pageParam, signal }) => getDeskOrders(filter, pageParam, signal),
      initialPageParam: null as string | null,
      getNextPageParam: (page) => page.nextCursor,
      placeholderData: (previous) => previous,
    });
  const orders = data?.pages.flatMap((page) => page.orders) ?? [];
  return (
    <section aria-label={t('list')} aria-busy={isPlaceholderData} className="grid gap-4">
      <p role="status" className="sr-only">
        {data && !isPlaceholderData ? t('shown', { count: orders.length }) : ''}
      </p>
      {error ? (
        <Notice tone="danger" role="alert">
          {problemText(error)}
        </Notice>
      ) : null}
      {isPending && !error ? <p className="text-muted">{common('loading')}</p> : null}
      {data && orders.length === 0 ? <p className="text-muted">{t('empty')}</p> : null}
      {orders.length > 0 ? (
        <Card className="relative overflow-x-auto">
          <table className="w-full min-w-5xl border-collapse text-base">
            <thead className="border-line border-b text-muted text-sm">
              <tr>
                {(['order', 'bought', 'sale', 'buyer'] as const).map((name) => (
                  <th key={name} scope="col" className={CELL}>
                    {t(name)}
                  </th>
                ))}
                <th scope="col" className={NUMBER}>
                  {t('pieces')}
                </th>
                <th scope="col" className={NUMBER}>
                  {t('amount')}
                </th>
                <th scope="col" className={CELL}>
                  {t('status')}
                </th>
              </tr>
            </thead>
            <tbody>
              {orders.map((order) => (
                <OrderRow key={order.orderNo} order={order} onSale={(saleId) => onFilter({ saleId })} />
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
    </section>
  );
}

function OrderRow({ order, onSale }: { order: DeskOrder; onSale: (saleId: string) => void }) {
  const t = useTranslations('DeskOrders');
  const locale = useLocale();
  const localDate = useLocalDate();
  const { orderNo, saleId, saleTitle, email, quantity, amountMinor, currency, status, acceptedAt } = order;
  return (
    <tr className="border-line border-b last:border-0 hover:bg-sunken">
      <th scope="row" className={`${CELL} font-normal`}>
        <Link
          href={`/admin/orders/${orderNo}`}
          prefetch={false}
          className={`${LINK} font-medium tabular-nums`}
        >
          {orderNo}
        </Link>
      </th>
      <td className={`${CELL} whitespace-nowrap tabular-nums`}>{localDate(acceptedAt, 'short')}</td>
      <td className={CELL}>
        <button
          type="button"
          onClick={() => onSale(saleId)}
          aria-label={t('onlySale', { title: saleTitle })}
          className={`${LINK} text-left`}
        >
          {saleTitle}
        </button>
      </td>
      <td className={`${CELL} break-words`}>{email}</td>
      <td className={NUMBER}>{quantity}</td>
      <td className={`${NUMBER} whitespace-nowrap`}>{formatMoney(amountMinor, currency, locale)}</td>
      <td className={CELL}>
        <OrderBadge status={status} />
      </td>
    </tr>
  );
}
