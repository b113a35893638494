import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { readShoppersReceipt } from '@/lib/why/admin/read-shoppers-receipt';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readShoppersReceipt, async ({ user, params, query, refuse }) => {
    const found = await readShoppersReceipt(user, params.saleId, query.user);
    switch (found.status) {
      case 'found':
        return found.receipt;
      case 'sale_not_found':
        return refuse('SALE_NOT_FOUND');
      case 'user_not_found':
        return refuse('USER_NOT_FOUND');
      case 'not_ready':
        return refuse('RECEIPT_NOT_READY');
    }
  }),
);
