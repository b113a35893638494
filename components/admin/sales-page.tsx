'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { DeskGate } from './desk-gate';
import { SaleForm } from './sale-form';
import { SaleTable } from './sale-table';
import { SyncFailures } from './sync-failures';

/** The desk's first page: every sale, and a form for the next one. */
export function SalesPage() {
  const t = useTranslations('Admin');
  const common = useTranslations('Common');
  const [isCreating, setIsCreating] = useState(false);
  return (
    <DeskGate>
      <div className="grid gap-8">
        <div className="flex flex-wrap items-end justify-between gap-4">
          <div className="grid gap-1">
            <h1 className="font-bold text-3xl tracking-tight">{t('heading')}</h1>
            <p className="text-muted">{t('intro')}</p>
          </div>
          <div className="flex flex-wrap gap-3">
            <Button tone={isCreating ? 'quiet' : 'primary'} onClick={() => setIsCreating(!isCreating)}>
              {isCreating ? common('cancel') : t('newSale')}
            </Button>
          </div>
        </div>
        {isCreating ? <SaleForm /> : null}
        <SyncFailures />
        <SaleTable />
      </div>
    </DeskGate>
  );
}
