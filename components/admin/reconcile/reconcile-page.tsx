'use client';

import { adminPage, PageFrame } from '../kit/admin-page';
import { ReconciledTable } from './reconciled-table';
import { SaleReconciliation } from './sale-reconciliation';
import { useReconcileFilter } from './use-reconcile-filter';

/** Shows for every sale whether Redis, the outbox, Postgres and the payment providers' books agree. */
function Reconcile() {
  const [filter, setFilter] = useReconcileFilter();
  return (
    <PageFrame words="AdminReconcile" className="gap-10">
      {filter.saleId ? (
        <SaleReconciliation
          key={filter.saleId}
          saleId={filter.saleId}
          onClose={() => setFilter({ saleId: '' })}
        />
      ) : null}
      <ReconciledTable filter={filter} onFilter={setFilter} />
    </PageFrame>
  );
}

export const ReconcilePage = adminPage(Reconcile);
