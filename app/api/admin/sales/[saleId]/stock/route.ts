import { authorize } from '@/lib/account/authorize';
import { answerRequest } from '@/lib/desk/approvals/answer-decision';
import { restockOrAsk } from '@/lib/desk/approvals/restock-or-ask';
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
  const result = await restockOrAsk(auth.user, saleId, body.data);
  switch (result.status) {
    case 'restocked':
      return json({ stock: result.stock });
    case 'pending':
    case 'other_pending':
      return answerRequest(result);
    case 'below_committed':
      return problem('STOCK_BELOW_COMMITTED', { extra: { available: result.available } });
    case 'unlimited':
      return problem('STOCK_UNLIMITED');
    case 'too_many':
      return problem('VALIDATION', { detail: `delta: no more than ${result.max} units in all` });
    case 'over':
      return problem('SALE_STATE', { detail: 'The sale is over.', extra: { is: 'ended' } });
    case 'not_found':
      return problem('SALE_NOT_FOUND');
    case 'wrong_state':
      return problem('SALE_STATE', { detail: `The sale is ${result.is}.`, extra: { is: result.is } });
  }
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
