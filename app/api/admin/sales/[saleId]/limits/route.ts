import { answerChange } from '@/lib/admin/sales/answer-change';
import { changeLimits } from '@/lib/admin/sales/change-limits';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.changeLimits, async ({ user, params, body }) =>
    answerChange(await changeLimits(user, params.saleId, body)),
  ),
);
