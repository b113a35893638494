import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { answerChange } from '@/lib/sale/admin/answer-change';
import { changeLimits } from '@/lib/sale/admin/change-limits';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.changeLimits, async ({ user, params, body }) =>
    answerChange(await changeLimits(user, params.saleId, body)),
  ),
);
