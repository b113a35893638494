import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { createProduct } from '@/lib/product/admin/create-product';
import { listAdminProducts } from '@/lib/product/admin/list-admin-products';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.listProducts, ({ user, query }) => listAdminProducts(user, query, query)),
  serve(contract.createProduct, async ({ user, body, refuse }) => {
    const result = await createProduct(user, body);
    if (result.status === 'created') return result.product;
    if (result.status === 'no_shop') return refuse('SHOP_NOT_FOUND');
    if (result.status === 'media_not_found') return refuse('MEDIA_NOT_FOUND');
    return refuse(result.status === 'slug_taken' ? 'SLUG_TAKEN' : 'CREATED_OTHERWISE');
  }),
);
