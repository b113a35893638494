import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { explainAttempts } from '@/lib/why/explain-attempts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(
    contract.explainAttempts,
    async ({ user, params, refuse }) =>
      (await explainAttempts(params.saleId, user.userId)) ?? refuse('SALE_NOT_FOUND'),
  ),
);
