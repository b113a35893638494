import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { reopenProduct } from '@/lib/product/admin/archive-product';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.reopenProduct, async ({ user, params, refuse }) => {
    const result = await reopenProduct(user, params.productId);
    return result.status === 'changed' ? result.product : refuse('NOT_FOUND');
  }),
);
