'use client';

import { useSearchParams } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { useRouter } from '@/i18n/navigation';
import { adminPage, PageFrame } from '../kit/admin-page';
import { useMayAct } from '../kit/use-may-act';
import { CopiedSaleForm } from './copied-sale-form';
import { SaleForm } from './sale-form';
import { SaleTable } from './sale-table';
import { SyncFailures } from './sync-failures';

/** Shows the first page of the admin area: every sale, and a form for the next one. */
function Sales() {
  const t = useTranslations('Admin');
  const common = useTranslations('Common');
  const router = useRouter();
  const mayCreate = useMayAct('settings');
  // The page of a sale leads here to copy it. Not from window.location: it still holds that page's address.
  const copied = useSearchParams().get('copy');
  const [isCreating, setIsCreating] = useState(copied !== null);
  const toSale = (saleId: string) => router.push(`/admin/sales/${saleId}`);
  const toggle = () => {
    setIsCreating(!isCreating);
    if (copied !== null) router.replace('/admin/sales');
  };
  return (
    <PageFrame
      words="Admin"
      beside={
        mayCreate ? (
          <Button tone={isCreating ? 'quiet' : 'primary'} onClick={toggle}>
            {isCreating ? common('cancel') : t('newSale')}
          </Button>
        ) : null
      }
    >
      {isCreating && mayCreate && copied !== null ? (
        <CopiedSaleForm saleId={copied} onSaved={toSale} />
      ) : isCreating ? (
        <SaleForm draft={null} onSaved={toSale} />
      ) : null}
      <SyncFailures />
      <SaleTable />
    </PageFrame>
  );
}

export const SalesPage = adminPage(Sales);
