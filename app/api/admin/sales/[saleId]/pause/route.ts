import { answerChange } from '@/lib/admin/sales/answer-change';
import { setSalePaused } from '@/lib/admin/sales/pause-sale';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.pauseSale, async ({ user, params }) =>
    answerChange(await setSalePaused(user, params.saleId, true)),
  ),
);
