import { runPreflight } from '@/lib/admin/preflight/run-preflight';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(
    contract.runPreflight,
    async ({ user, params, refuse }) => (await runPreflight(user, params.saleId)) ?? refuse('SALE_NOT_FOUND'),
  ),
);
