import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { recentLogCheck } from '@/lib/verify/recent-log-check';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(
    contract.verifySaleLog,
    async ({ user, params, refuse }) =>
      (await recentLogCheck(user, params.saleId)) ?? refuse('SALE_NOT_FOUND'),
  ),
);
