'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { DELIVERY_STANDS } from '@/lib/contract/words/delivery';
import { WRITTEN_STATUSES } from '@/lib/contract/words/order';
import { isolated } from '@/lib/human-text';
import { ChoiceField } from '../kit/choice-field';
import type { OrderSearch } from './order-filter';

interface OrderFilterFormProps {
  filter: OrderSearch;
  onFilter: (change: Partial<OrderSearch>) => void;
}

/**
 * Edits the filter of the order list. Text is searched for when the user submits it: half an order number finds
 * nothing.
 */
export function OrderFilterForm({ filter, onFilter }: OrderFilterFormProps) {
  const t = useTranslations('AdminOrders');
  const steps = useTranslations('Delivery.steps');
  const [q, setQ] = useState(filter.q);
  const search = (event: FormEvent) => {
    event.preventDefault();
    onFilter({ q: q.trim() });
  };
  return (
    <search className="grid gap-4">
      <form
        method="post"
        onSubmit={search}
        className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-[2fr_1fr_1fr_1fr_1fr]"
      >
        <div className="grid grid-cols-[1fr_auto] items-end gap-2 sm:col-span-2 lg:col-span-1">
          <TextField
            label={t('search')}
            type="search"
            maxLength={254}
            value={q}
            placeholder={t('searchHint')}
            onChange={({ target }) => setQ(target.value)}
          />
          <Button type="submit">{t('find')}</Button>
        </div>
        <ChoiceField
          label={t('status')}
          value={filter.status}
          choices={['', ...WRITTEN_STATUSES]}
          nameOf={(status) => (status ? t(`statuses.${status}`) : t('every'))}
          onChoose={(status) => onFilter({ status })}
        />
        <ChoiceField
          label={t('delivery.label')}
          value={filter.delivery}
          choices={['', ...DELIVERY_STANDS]}
          nameOf={(stand) => (stand ? steps(stand) : t('delivery.all'))}
          onChoose={(delivery) => onFilter({ delivery })}
        />
        <TextField
          label={t('from')}
          type="date"
          value={filter.from}
          onChange={({ target }) => onFilter({ from: target.value })}
        />
        <TextField
          label={t('to')}
          type="date"
          value={filter.to}
          onChange={({ target }) => onFilter({ to: target.value })}
        />
      </form>
      {filter.saleId ? (
        <p className="flex flex-wrap items-center gap-3">
          <SaleName saleId={filter.saleId} />
          <Button onClick={() => onFilter({ saleId: '' })}>{t('allSales')}</Button>
        </p>
      ) : null}
    </search>
  );
}

/**
 * Shows the title of the sale that is filtered by, also where the sale has no orders. If the sale doesn't exist or
 * belongs to another merchant, its id is shown.
 */
function SaleName({ saleId }: { saleId: string }) {
  const t = useTranslations('AdminOrders');
  const { data, isPending } = useQuery({
    queryKey: ['admin-sale', saleId],
    queryFn: ({ signal }) => request('GET /api/admin/sales/{saleId}', { params: { saleId }, signal }),
    staleTime: 60_000,
  });
  return (
    <span className="wrap-anywhere">
      {t('ofSale', { title: data ? isolated(data.title) : isPending ? '…' : saleId })}
    </span>
  );
}
