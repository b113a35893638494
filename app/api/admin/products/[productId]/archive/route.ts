import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { archiveProduct } from '@/lib/product/admin/archive-product';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.archiveProduct, async ({ user, params, refuse }) => {
    const result = await archiveProduct(user, params.productId);
    if (result.status === 'changed') return result.product;
    if (result.status === 'not_found') return refuse('NOT_FOUND');
    const { sales } = result;
    return refuse('PRODUCT_IN_USE', {
      detail: `Sales of this product run or are to come: ${sales.map(({ title }) => title).join(', ')}.`,
      extra: { fields: sales.map(({ saleId, title }) => ({ path: 'sales', message: title, saleId })) },
    });
  }),
);
