import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { traceShopper } from '@/lib/why/admin/trace-shopper';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.traceShopper, async ({ user, params, query, refuse }) => {
    const result = await traceShopper(user, params.saleId, query.user);
    switch (result.status) {
      case 'traced':
        return result.trace;
      case 'sale_not_found':
        return refuse('SALE_NOT_FOUND');
      case 'user_not_found':
        return refuse('USER_NOT_FOUND');
    }
  }),
);
