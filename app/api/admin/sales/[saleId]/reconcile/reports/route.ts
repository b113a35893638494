import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { listReports } from '@/lib/reconcile/list-reports';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.listReconcileReports, async ({ user, params, query, refuse }) => {
    const result = await listReports(user, params.saleId, query);
    switch (result.status) {
      case 'listed':
        return { reports: result.reports, nextCursor: result.nextCursor };
      case 'foreign_cursor':
        return null;
      case 'not_found':
        return refuse('SALE_NOT_FOUND');
    }
  }),
);
