import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { readLogReceipt } from '@/lib/decision-log/read-log-receipt';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(
    contract.readLogReceipt,
    async ({ user, params, refuse }) =>
      (await readLogReceipt(params.saleId, user.userId)) ?? refuse('RECEIPT_NOT_READY'),
  ),
);
