import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { readReport } from '@/lib/reconcile/list-reports';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readReconcileReport, async ({ user, params, refuse }) => {
    const report = await readReport(user, params.saleId, params.reportId);
    return report ? { report } : refuse('NOT_FOUND');
  }),
);
