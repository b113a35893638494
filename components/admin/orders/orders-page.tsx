'use client';

import { useTranslations } from 'next-intl';
import { addressOf } from '@/components/api/request';
import { buttonStyle } from '@/components/ui/button';
import { adminPage, PageFrame } from '../kit/admin-page';
import { useMayInShop } from '../kit/use-may-act';
import { queryOf } from './order-filter';
import { OrderFilterForm } from './order-filter-form';
import { OrderTable } from './order-table';
import { useOrderFilter } from './use-order-filter';

/** Shows the orders. Staff can find them, open one, and download them as a file. */
function Orders() {
  const t = useTranslations('AdminOrders');
  const mayExport = useMayInShop('export');
  const [filter, setFilter] = useOrderFilter();
  return (
    <PageFrame
      words="AdminOrders"
      className="gap-6"
      beside={
        mayExport ? (
          <a
            href={addressOf('GET /api/admin/orders/export', { query: queryOf(filter) })}
            download
            className={buttonStyle()}
          >
            {t('export')}
          </a>
        ) : null
      }
    >
      <OrderFilterForm filter={filter} onFilter={setFilter} />
      <OrderTable filter={filter} onFilter={setFilter} />
    </PageFrame>
  );
}

export const OrdersPage = adminPage(Orders);
