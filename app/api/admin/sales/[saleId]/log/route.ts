import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { readSaleLog } from '@/lib/live/read-sale-log';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(
    contract.readSaleLog,
    async ({ user, params, refuse }) => (await readSaleLog(user, params.saleId)) ?? refuse('SALE_NOT_FOUND'),
  ),
);
