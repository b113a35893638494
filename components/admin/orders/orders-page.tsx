'use client';

import { useTranslations } from 'next-intl';
import { addressOf } from '@/components/api/request';
import { buttonStyle } from '@/components/ui/button';
import { PageHeading } from '@/components/ui/headings';
import { AdminGate } from '../kit/admin-gate';
import { queryOf } from './order-filter';
import { OrderFilterForm } from './order-filter-form';
import { OrderTable } from './order-table';
import { useOrderFilter } from './use-order-filter';

export function OrdersPage() {
  return (
    <AdminGate>
      <Orders />
    </AdminGate>
  );
}

/** Orders: find them, open one, take them away as a file. */
function Orders() {
  const t = useTranslations('AdminOrders');
  const [filter, setFilter] = useOrderFilter();
  return (
    <div className="grid gap-6">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <PageHeading heading={t('heading')} intro={t('intro')} />
        <a
          href={addressOf('GET /api/admin/orders/export', { query: queryOf(filter) })}
          download
          className={buttonStyle()}
        >
          {t('export')}
        </a>
      </div>
      <OrderFilterForm filter={filter} onFilter={setFilter} />
      <OrderTable filter={filter} onFilter={setFilter} />
    </div>
  );
}
