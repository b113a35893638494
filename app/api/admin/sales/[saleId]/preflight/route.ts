import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { runPreflight } from '@/lib/preflight/run-preflight';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(
    contract.runPreflight,
    async ({ user, params, refuse }) => (await runPreflight(user, params.saleId)) ?? refuse('SALE_NOT_FOUND'),
  ),
);
