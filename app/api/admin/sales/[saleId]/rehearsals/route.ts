import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { listRehearsals } from '@/lib/rehearsal/list-rehearsals';
import { requestRehearsal } from '@/lib/rehearsal/request-rehearsal';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(
    contract.listRehearsals,
    async ({ user, params, query, refuse }) =>
      (await listRehearsals(user, params.saleId, query)) ?? refuse('SALE_NOT_FOUND'),
  ),
  serve(contract.requestRehearsal, async ({ user, params, body, answer, refuse }) => {
    const result = await requestRehearsal(user, params.saleId, body.shoppers);
    switch (result.status) {
      case 'requested':
        return answer(202, result.rehearsal);
      case 'already_requested':
        return answer(200, result.rehearsal);
      case 'not_found':
        return refuse('SALE_NOT_FOUND');
      case 'wrong_state':
        return refuse('SALE_STATE', { detail: `The sale is ${result.is}.`, extra: { is: result.is } });
      case 'unsupported':
        return refuse('REHEARSAL_UNSUPPORTED', { extra: { strategy: result.strategy } });
    }
  }),
);
