import { authorize } from '@/lib/account/authorize';
import { answerRequest } from '@/lib/desk/approvals/answer-decision';
import { refundOrAsk } from '@/lib/desk/approvals/refund-or-ask';
import { refundOrderSchema } from '@/lib/desk/refund-order';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { readJson } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';

export const POST = route<{ orderNo: string }>(async (request, { orderNo }) => {
  const auth = await authorize(request, 'desk');
  if (!auth.ok) return auth.response;
  const body = await readJson(request, refundOrderSchema);
  if (!body.ok) return body.response;
  const result = await refundOrAsk(auth.user, orderNo, body.data);
  switch (result.status) {
    case 'refunded':
      return json(result.order);
    case 'pending':
    case 'other_pending':
      return answerRequest(result);
    case 'not_refundable':
      return problem('ORDER_NOT_REFUNDABLE', {
        detail: `The order is ${result.is}.`,
        extra: { is: result.is },
      });
    case 'not_found':
      return problem('ORDER_NOT_FOUND');
  }
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
