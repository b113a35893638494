import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { readReconciliation, reconcileOnDemand } from '@/lib/reconcile/reconcile-on-demand';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(
    contract.readReconciliation,
    async ({ user, params, refuse }) =>
      (await readReconciliation(user, params.saleId)) ?? refuse('SALE_NOT_FOUND'),
  ),
  serve(contract.reconcileSale, async ({ user, params, body, refuse }) => {
    const result = await reconcileOnDemand(user, params.saleId, body.repair, body.kinds);
    switch (result.status) {
      case 'done':
        return result.report;
      case 'not_found':
        return refuse('SALE_NOT_FOUND');
      case 'not_published':
        return refuse('SALE_STATE', { detail: 'The sale is draft.', extra: { is: 'draft' } });
      case 'busy':
        return refuse('UNAVAILABLE', { detail: 'The sale is being reconciled right now.' });
    }
  }),
);
