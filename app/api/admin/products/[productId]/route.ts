import { authorize } from '@/lib/account/authorize';
import { editProduct } from '@/lib/desk/edit-product';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { readJson } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';
import { editProductSchema } from '@/lib/product/product-input';

const MAX_BODY_BYTES = 64 * 1024;

export const PATCH = route<{ productId: string }>(async (request, { productId }) => {
  const auth = await authorize(request, 'desk');
  if (!auth.ok) return auth.response;
  const body = await readJson(request, editProductSchema, { maxBytes: MAX_BODY_BYTES });
  if (!body.ok) return body.response;
  const result = await editProduct(auth.user, productId, body.data);
  switch (result.status) {
    case 'edited':
      return json(result.product);
    case 'version_conflict':
      return problem('VERSION_CONFLICT', {
        extra: { version: result.product.version, current: result.product },
      });
    case 'not_found':
      return problem('NOT_FOUND');
  }
});

export const { GET, HEAD, POST, PUT, DELETE, OPTIONS } = otherMethods('PATCH');
