import { createProduct } from '@/lib/admin/products/create-product';
import { listAdminProducts } from '@/lib/admin/products/list-admin-products';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.listProducts, ({ user, query }) => listAdminProducts(user, query)),
  serve(contract.createProduct, async ({ user, body: { shopId, ...body }, refuse }) => {
    const result = await createProduct(user, body, shopId);
    if (result.status === 'shop_changed') return refuse('SHOP_CHANGED');
    if (result.status === 'media_not_found') return refuse('MEDIA_NOT_FOUND');
    return result.status === 'created' ? result.product : refuse('SLUG_TAKEN');
  }),
);
