import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import { answerRequest } from '@/lib/approval/answer-decision';
import { restockOrAsk } from '@/lib/approval/restock-or-ask';
import * as contract from '@/lib/contract/operations';
import { fieldsProblem } from '@/lib/http/read-json';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.changeStock, async ({ user, params, body, refuse }) => {
    const result = await restockOrAsk(user, params.saleId, body);
    switch (result.status) {
      case 'restocked':
        return { stock: result.stock };
      case 'pending':
      case 'other_pending':
        return answerRequest(result);
      case 'below_committed':
        return refuse('STOCK_BELOW_COMMITTED', { extra: { available: result.available } });
      case 'made_otherwise':
        return refuse('CREATED_OTHERWISE');
      case 'unlimited':
        return refuse('STOCK_UNLIMITED');
      case 'variant_unknown':
        return refuse('VARIANT_UNKNOWN');
      case 'too_many':
        return fieldsProblem([{ path: 'delta', message: `no more than ${result.max} units in all` }]);
      case 'over':
        return refuse('SALE_STATE', { detail: 'The sale is over.', extra: { is: 'ended' } });
      case 'not_found':
        return refuse('SALE_NOT_FOUND');
      case 'wrong_state':
        return refuse('SALE_STATE', { detail: `The sale is ${result.is}.`, extra: { is: result.is } });
    }
  }),
);
