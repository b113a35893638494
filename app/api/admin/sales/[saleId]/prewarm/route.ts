import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { readPrewarmList } from '@/lib/pages/read-prewarm-list';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(
    contract.readPrewarmList,
    async ({ user, params, refuse }) =>
      (await readPrewarmList(user, params.saleId)) ?? refuse('SALE_NOT_FOUND'),
  ),
);
