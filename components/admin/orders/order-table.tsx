'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useState } from 'react';
import { useList } from '@/components/api/use-list';
import { LINK } from '@/components/ui/link-style';
import { useLocalDate } from '@/components/ui/use-local-date';
import { Link } from '@/i18n/navigation';
import type { AdminOrder } from '@/lib/contract/shapes/order';
import { isolated } from '@/lib/human-text';
import { formatMoney } from '@/lib/money';
import { DataTable } from '../kit/data-table';
import { Paged } from '../kit/paged';
import { useMayInShop } from '../kit/use-shops';
import { canMoveMany, MoveMany } from './move-many';
import { OrderBadge } from './order-badge';
import { type OrderSearch, orderQueryOf } from './order-filter';

interface OrderTableProps {
  filter: OrderSearch;
  onFilter: (change: Partial<OrderSearch>) => void;
}

/** Lists the orders that match a filter, newest first, page by page. */
export function OrderTable({ filter, onFilter }: OrderTableProps) {
  const t = useTranslations('AdminOrders');
  const { query, items: orders } = useList('GET /api/admin/orders', { query: orderQueryOf(filter) });
  const { data, isPlaceholderData } = query;
  const isUnfiltered = Object.values(filter).every((value) => value === '');
  const mayWork = useMayInShop('work');
  const stand = mayWork && canMoveMany(filter.delivery) ? filter.delivery : null;
  const [picked, setPicked] = useState<readonly string[]>([]);
  const shown = orders.map(({ orderNo }) => orderNo);
  const chosen = shown.filter((orderNo) => picked.includes(orderNo));
  const choose = (orderNo: string, isChosen: boolean) =>
    setPicked(isChosen ? [...picked, orderNo] : picked.filter((one) => one !== orderNo));
  return (
    <section aria-label={t('list')} aria-busy={isPlaceholderData} className="grid gap-4">
      <p role="status" className="sr-only">
        {data && !isPlaceholderData ? t('shown', { count: orders.length }) : ''}
      </p>
      {stand ? (
        <MoveMany key={stand} stand={stand} shown={shown} chosen={chosen} onChoose={setPicked} />
      ) : null}
      <Paged query={query} isEmpty={orders.length === 0} empty={t(isUnfiltered ? 'none' : 'empty')}>
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
            <OrderRow
              key={order.orderNo}
              order={order}
              onSale={(saleId) => onFilter({ saleId })}
              isChosen={chosen.includes(order.orderNo)}
              onChoose={stand ? (isChosen) => choose(order.orderNo, isChosen) : null}
            />
          ))}
        </DataTable>
      </Paged>
    </section>
  );
}

interface OrderRowProps {
  order: AdminOrder;
  onSale: (saleId: string) => void;
  isChosen: boolean;
  /** Null: there is nothing to choose it for. */
  onChoose: ((isChosen: boolean) => void) | null;
}

function OrderRow({ order, onSale, isChosen, onChoose }: OrderRowProps) {
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
        <span className="inline-flex items-baseline gap-3">
          {onChoose ? (
            <label className="-m-3 inline-flex shrink-0 cursor-pointer p-3">
              <input
                type="checkbox"
                className="size-5 accent-text"
                aria-label={t('many.one', { orderNo })}
                checked={isChosen}
                onChange={({ target }) => onChoose(target.checked)}
              />
            </label>
          ) : null}
          <Link
            href={`/admin/orders/${orderNo}`}
            prefetch={false}
            className={`${LINK} font-medium tabular-nums`}
          >
            {orderNo}
          </Link>
        </span>
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
