'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useList } from '@/components/api/use-list';
import { useLocalDate } from '@/components/ui/use-local-date';
import { Link } from '@/i18n/navigation';
import type { AdminOrder } from '@/lib/contract/shapes/order';
import { isolated } from '@/lib/human-text';
import { formatMoney } from '@/lib/money';
import { DataTable } from '../kit/data-table';
import { Paged } from '../kit/paged';
import { OrderBadge } from './order-badge';
import { type OrderFilter, queryOf } from './order-filter';

const LINK = 'inline-flex min-h-11 items-center underline underline-offset-4';

interface OrderTableProps {
  filter: OrderFilter;
  onFilter: (change: Partial<OrderFilter>) => void;
}

/** Lists the orders that match a filter, newest first, page by page. */
export function OrderTable({ filter, onFilter }: OrderTableProps) {
  const t = useTranslations('AdminOrders');
  const { query, items: orders } = useList('GET /api/admin/orders', { query: queryOf(filter) });
  const { data, isPlaceholderData } = query;
  const isAll = Object.values(filter).every((value) => value === '');
  return (
    <section aria-label={t('list')} aria-busy={isPlaceholderData} className="grid gap-4">
      <p role="status" className="sr-only">
        {data && !isPlaceholderData ? t('shown', { count: orders.length }) : ''}
      </p>
      <Paged query={query} isEmpty={orders.length === 0} empty={t(isAll ? 'none' : 'empty')}>
        <DataTable
          isStacked="pairs"
          className="lg:min-w-5xl"
          columns={[
            ...(['order', 'bought', 'sale', 'buyer'] as const).map((name) => ({ label: t(name) })),
            { label: t('pieces'), isNumber: true },
            { label: t('amount'), isNumber: true },
            { label: t('status') },
          ]}
        >
          {orders.map((order) => (
            <OrderRow key={order.orderNo} order={order} onSale={(saleId) => onFilter({ saleId })} />
          ))}
        </DataTable>
      </Paged>
    </section>
  );
}

function OrderRow({ order, onSale }: { order: AdminOrder; onSale: (saleId: string) => void }) {
  const t = useTranslations('AdminOrders');
  const steps = useTranslations('Delivery.steps');
  const locale = useLocale();
  const localDate = useLocalDate();
  const {
    orderNo,
    saleId,
    saleTitle,
    variantName,
    email,
    quantity,
    amountMinor,
    currency,
    status,
    acceptedAt,
    refundedMinor,
    delivery,
  } = order;
  return (
    <tr>
      <th scope="row">
        <Link
          href={`/admin/orders/${orderNo}`}
          prefetch={false}
          className={`${LINK} font-medium tabular-nums`}
        >
          {orderNo}
        </Link>
      </th>
      <td className="whitespace-nowrap tabular-nums">{localDate(acceptedAt, 'short')}</td>
      <td>
        <button
          type="button"
          onClick={() => onSale(saleId)}
          aria-label={t('onlySale', { title: isolated(saleTitle) })}
          className={`${LINK} text-left`}
        >
          <bdi>{saleTitle}</bdi>
        </button>
        {variantName === null ? null : (
          <p className="wrap-anywhere text-muted">
            <bdi>{variantName}</bdi>
          </p>
        )}
      </td>
      <td className="wrap-anywhere">{email}</td>
      <td className="text-right tabular-nums">{quantity}</td>
      <td className="whitespace-nowrap text-right tabular-nums">
        {formatMoney(amountMinor, currency, locale)}
      </td>
      <td>
        <OrderBadge status={status} refundedMinor={refundedMinor} />
        {delivery ? <p className="text-muted text-sm">{steps(delivery)}</p> : null}
      </td>
    </tr>
  );
}
