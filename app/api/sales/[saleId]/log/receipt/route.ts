import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import { readLogReceipt } from '@/lib/checkout/log/read-log-receipt';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(
    contract.readLogReceipt,
    async ({ user, params, refuse }) =>
      (await readLogReceipt(params.saleId, user.userId)) ?? refuse('RECEIPT_NOT_READY'),
  ),
);
