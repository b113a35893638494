import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { editProduct } from '@/lib/product/admin/edit-product';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.editProduct, async ({ user, params, body, refuse }) => {
    const result = await editProduct(user, params.productId, body);
    switch (result.status) {
      case 'edited':
        return result.product;
      case 'version_conflict':
        return refuse('VERSION_CONFLICT', {
          extra: { version: result.product.version, current: result.product },
        });
      case 'media_not_found':
        return refuse('MEDIA_NOT_FOUND');
      case 'not_found':
        return refuse('NOT_FOUND');
    }
  }),
);
