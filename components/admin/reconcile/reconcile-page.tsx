'use client';

import { useTranslations } from 'next-intl';
import { PageHeading } from '@/components/ui/headings';
import { AdminGate } from '../kit/admin-gate';
import { ReconciledTable } from './reconciled-table';
import { SaleReconciliation } from './sale-reconciliation';
import { useReconcileFilter } from './use-reconcile-filter';

export function ReconcilePage() {
  return (
    <AdminGate>
      <Reconcile />
    </AdminGate>
  );
}

/** Do Redis, the outbox and Postgres say the same of every sale? */
function Reconcile() {
  const t = useTranslations('AdminReconcile');
  const [filter, setFilter] = useReconcileFilter();
  return (
    <div className="grid gap-10">
      <PageHeading heading={t('heading')} intro={t('intro')} />
      {filter.saleId ? (
        <SaleReconciliation
          key={filter.saleId}
          saleId={filter.saleId}
          onClose={() => setFilter({ saleId: '' })}
        />
      ) : null}
      <ReconciledTable filter={filter} onFilter={setFilter} />
    </div>
  );
}
