'use client';

import { useTranslations } from 'next-intl';
import { addressOf } from '@/components/api/request';
import { adminPage, PageFrame } from '../kit/admin-page';
import { ExportLink } from '../kit/export-link';
import { useMayInShop } from '../kit/use-shops';
import { queryOf } from './order-filter';
import { OrderFilterForm } from './order-filter-form';
import { OrderTable } from './order-table';
import { useOrderFilter } from './use-order-filter';

/** Shows the orders. Staff can find them, open one, and download them as a file. */
function Orders() {
  const t = useTranslations('AdminOrders');
  const [filter, setFilter] = useOrderFilter();
  const mayExport = useMayInShop('export');
  return (
    <PageFrame
      words="AdminOrders"
      className="gap-6"
      beside={
        mayExport ? (
          <ExportLink href={addressOf('GET /api/admin/orders/export', { query: queryOf(filter) })}>
            {t('export')}
          </ExportLink>
        ) : null
      }
    >
      <OrderFilterForm filter={filter} onFilter={setFilter} />
      <OrderTable filter={filter} onFilter={setFilter} />
    </PageFrame>
  );
}

export const OrdersPage = adminPage(Orders);
