import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { answerChange } from '@/lib/sale/admin/answer-change';
import { setSalePaused } from '@/lib/sale/admin/pause-sale';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.resumeSale, async ({ user, params }) =>
    answerChange(await setSalePaused(user, params.saleId, false)),
  ),
);
