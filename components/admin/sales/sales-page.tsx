'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { useRouter } from '@/i18n/navigation';
import { adminPage, PageFrame } from '../kit/admin-page';
import { useMayInShop } from '../kit/use-shops';
import { LatelyTaken } from '../money/lately-taken';
import { SaleForm } from './sale-form';
import { SaleTable } from './sale-table';
import { SyncFailures } from './sync-failures';

/** Shows the first page of the admin area: every sale, and a form for the next one. */
function Sales() {
  const t = useTranslations('Admin');
  const common = useTranslations('Common');
  const router = useRouter();
  const mayCreate = useMayInShop('settings');
  const [isCreating, setIsCreating] = useState(false);
  return (
    <PageFrame
      words="Admin"
      beside={
        mayCreate ? (
          <Button tone={isCreating ? 'quiet' : 'primary'} onClick={() => setIsCreating(!isCreating)}>
            {isCreating ? common('cancel') : t('newSale')}
          </Button>
        ) : null
      }
    >
      {isCreating ? (
        <SaleForm draft={null} onSaved={(saleId) => router.push(`/admin/sales/${saleId}`)} />
      ) : null}
      <SyncFailures />
      <LatelyTaken />
      <SaleTable />
    </PageFrame>
  );
}

export const SalesPage = adminPage(Sales);
