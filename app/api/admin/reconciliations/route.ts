import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { listReconciled } from '@/lib/reconcile/list-reports';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.listReconciled, ({ user, query }) => listReconciled(user, query, query)),
);
