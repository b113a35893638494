import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import { answerRequest } from '@/lib/approval/answer-decision';
import { refundPartOrAsk } from '@/lib/approval/refund-part-or-ask';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.refundOrderPart, async ({ user, params, body, refuse }) => {
    const result = await refundPartOrAsk(user, params.orderNo, body);
    switch (result.status) {
      case 'refunded':
        return result.order;
      case 'pending':
      case 'other_pending':
        return answerRequest(result);
      case 'part_too_large':
        return refuse('PART_TOO_LARGE', { extra: { leftMinor: result.leftMinor } });
      case 'too_many_parts':
        return refuse('TOO_MANY_PARTS');
      case 'made_otherwise':
        return refuse('CREATED_OTHERWISE');
      case 'not_refundable':
        return refuse('ORDER_NOT_REFUNDABLE', {
          detail: `The order is ${result.is}.`,
          extra: { is: result.is },
        });
      case 'not_found':
        return refuse('ORDER_NOT_FOUND');
    }
  }),
);
