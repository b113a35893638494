'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { addressOf } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { adminPage, PageFrame } from '../kit/admin-page';
import { ExportLink } from '../kit/export-link';
import { useMayInShop } from '../kit/use-shops';
import { orderQueryOf } from './order-filter';
import { OrderFilterForm } from './order-filter-form';
import { OrderTable } from './order-table';
import { ParcelFiles } from './parcel-files';
import { useOrderFilter } from './use-order-filter';

/** Shows the orders. Staff can find them, open one, and download them as a file. */
function Orders() {
  const t = useTranslations('AdminOrders');
  const [filter, setFilter] = useOrderFilter();
  const mayExport = useMayInShop('export');
  const [hasParcels, setHasParcels] = useState(false);
  return (
    <PageFrame
      words="AdminOrders"
      className="gap-6"
      beside={
        mayExport ? (
          <div className="flex flex-wrap gap-2">
            <Button aria-expanded={hasParcels} onClick={() => setHasParcels(!hasParcels)}>
              {t('parcels.open')}
            </Button>
            <ExportLink href={addressOf('GET /api/admin/orders/export', { query: orderQueryOf(filter) })}>
              {t('export')}
            </ExportLink>
          </div>
        ) : null
      }
    >
      {hasParcels ? <ParcelFiles saleId={filter.saleId} /> : null}
      <OrderFilterForm filter={filter} onFilter={setFilter} />
      <OrderTable filter={filter} onFilter={setFilter} />
    </PageFrame>
  );
}

export const OrdersPage = adminPage(Orders);
