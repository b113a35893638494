import { readSaleLog } from '@/lib/admin/live/read-sale-log';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(
    contract.readSaleLog,
    async ({ user, params, refuse }) => (await readSaleLog(user, params.saleId)) ?? refuse('SALE_NOT_FOUND'),
  ),
);
