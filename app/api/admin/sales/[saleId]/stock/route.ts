import { authorize } from '@/lib/account/authorize';
import { restockSale } from '@/lib/desk/restock-sale';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { readJson } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';
import { restockSchema } from '@/lib/sale/sale-input';

export const POST = route<{ saleId: string }>(async (request, { saleId }) => {
  const auth = await authorize(request, 'desk');
  if (!auth.ok) return auth.response;
  const body = await readJson(request, restockSchema);
  if (!body.ok) return body.response;
  const result = await restockSale(auth.user, saleId, body.data.delta, body.data.reason);
  switch (result.status) {
    case 'restocked':
      return json({ stock: result.stock });
    case 'below_committed':
      return problem('STOCK_BELOW_COMMITTED', { extra: { available: result.available } });
    case 'unlimited':
      return problem('STOCK_UNLIMITED');
    case 'too_many':
      return problem('VALIDATION', { detail: `delta: no more than ${result.max} units in all` });
    case 'not_found':
      return problem('SALE_NOT_FOUND');
    case 'wrong_state':
      return problem('SALE_STATE', { detail: `The sale is ${result.is}.`, extra: { is: result.is } });
  }
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
