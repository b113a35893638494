'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useMay } from '@/components/session/use-may';
import { Button } from '@/components/ui/button';
import { PageHeading } from '@/components/ui/headings';
import { useRouter } from '@/i18n/navigation';
import { AdminGate } from '../kit/admin-gate';
import { SaleForm } from './sale-form';
import { SaleTable } from './sale-table';
import { SyncFailures } from './sync-failures';

/** The admin area's first page: every sale, and a form for the next one. */
export function SalesPage() {
  const t = useTranslations('Admin');
  const common = useTranslations('Common');
  const router = useRouter();
  const mayCreate = useMay('manageSales');
  const [isCreating, setIsCreating] = useState(false);
  return (
    <AdminGate>
      <div className="grid gap-8">
        <div className="flex flex-wrap items-end justify-between gap-4">
          <PageHeading heading={t('heading')} intro={t('intro')} />
          <div className="flex flex-wrap gap-3">
            {mayCreate ? (
              <Button tone={isCreating ? 'quiet' : 'primary'} onClick={() => setIsCreating(!isCreating)}>
                {isCreating ? common('cancel') : t('newSale')}
              </Button>
            ) : null}
          </div>
        </div>
        {isCreating ? (
          <SaleForm draft={null} onSaved={(saleId) => router.push(`/admin/sales/${saleId}`)} />
        ) : null}
        <SyncFailures />
        <SaleTable />
      </div>
    </AdminGate>
  );
}
