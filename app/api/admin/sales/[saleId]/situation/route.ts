import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { readOwnSituation } from '@/lib/live/read-live';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(
    contract.readSituation,
    async ({ user, params, refuse }) =>
      (await readOwnSituation(user, params.saleId)) ?? refuse('SALE_NOT_FOUND'),
  ),
);
